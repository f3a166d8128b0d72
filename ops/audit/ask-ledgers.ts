import { filter, firstValueFrom, timeout } from 'rxjs';
import type { LedgerFinding } from '../../src/certificates/check-on-ledger.ts';
import type { Network } from '../../src/domain/network.ts';
import type { LedgerGateway } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { serverName } from '../../src/ledger/server-status.ts';
import type { AskLedger } from './anchor-audit.ts';

const connectMs = 10_000;

/** One server (ws:// or wss://), asked ledger by ledger; each ledger once where its proofs come in a row. */
export function openAskedLedger(url: string): {
  readonly ask: AskLedger;
  close(): Promise<void>;
} {
  const server = serverName(url);
  const gateways = new Map<Network, LedgerGateway>();
  let last: { readonly key: string; readonly finding: Promise<LedgerFinding> } | null = null;
  const reach = async (network: Network, index: number): Promise<LedgerFinding> => {
    const gateway = gateways.get(network) ?? openGateway({ network, urls: [url] });
    gateways.set(network, gateway);
    try {
      const connected = gateway.status.pipe(
        filter((status) => status.connected),
        timeout({ first: connectMs }),
      );
      const { standalone } = await firstValueFrom(connected);
      return {
        asked: true,
        reached: true,
        server,
        standalone,
        ledger: await gateway.ledger(index),
      };
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
