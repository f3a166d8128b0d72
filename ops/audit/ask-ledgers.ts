import { filter, firstValueFrom, timeout } from 'rxjs';
import type { LedgerFinding } from '../../src/certificates/check-on-ledger.ts';
import type { Network } from '../../src/domain/network.ts';
import type { LedgerGateway } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { serverName } from '../../src/ledger/server-status.ts';
import type { AskLedger } from './anchor-audit.ts';
import type { Tell } from './fault.ts';

const connectMs = 10_000;

/**
 * Servers (ws:// or wss://), of one network or of several, asked ledger by ledger; each ledger once where
 * its proofs come in a row. A network none of whose servers can be reached is told once, and not asked again.
 */
export function openAskedLedger(
  urls: readonly string[],
  tell: Tell,
): {
  readonly ask: AskLedger;
  close(): Promise<void>;
} {
  const server = urls.map(serverName).join(', ');
  const gateways = new Map<Network, LedgerGateway>();
  const connections = new Map<Network, Promise<{ readonly standalone: boolean } | null>>();
  let last: { readonly key: string; readonly finding: Promise<LedgerFinding> } | null = null;
  const connect = async (network: Network) => {
    const gateway = openGateway({ network, urls });
    gateways.set(network, gateway);
    const connected = gateway.status.pipe(
      filter((status) => status.connected),
      timeout({ first: connectMs }),
    );
    const status = await firstValueFrom(connected).catch(() => null);
    if (status !== null) return status;
    const what = `no anchor on ${network} could be held against it: ${server} is not reached, or no server of it`;
    tell({ in: 'ledger', position: null, column: null, what });
    return null;
  };
  const reach = async (network: Network, index: number): Promise<LedgerFinding> => {
    const connecting = connections.get(network) ?? connect(network);
    connections.set(network, connecting);
    const status = await connecting;
    const gateway = gateways.get(network);
    if (status === null || !gateway) return { asked: false, why: 'told once' };
    const { standalone } = status;
    try {
      const ledger = await gateway.ledger(index);
      return { asked: true, reached: true, server, standalone, ledger };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { asked: true, reached: false, why: `${server}: ${why.slice(0, 200)}` };
    }
  };
  return {
    ask(network, index) {
      const key = `${network} ${index}`;
      if (last?.key !== key) last = { key, finding: reach(network, index) };
      return last.finding;
    },
    async close() {
      await Promise.all([...gateways.values()].map((gateway) => gateway.close()));
    },
  };
}
