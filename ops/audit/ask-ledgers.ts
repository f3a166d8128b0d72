import { setTimeout as delay } from 'node:timers/promises';
import { filter, firstValueFrom, timeout } from 'rxjs';
import type { LedgerFinding } from '../../src/certificates/check-on-ledger.ts';
import type { Network } from '../../src/domain/network.ts';
import type { LedgerGateway, LedgerStatus, ValidatedLedger } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { serverName } from '../../src/ledger/server-status.ts';
import type { AskLedger } from './anchor-audit.ts';
import type { Tell } from './fault.ts';

const connectMs = 10_000;
const mostAttempts = 3;
const pauseMs = 250;
/** More ledgers in a row of which no server gives a usable answer are not asked for. */
const mostUnanswered = 3;

export interface AskedLedger {
  readonly ask: AskLedger;
  close(): Promise<void>;
}

/**
 * Servers (ws:// or wss://), of one network or of several, asked ledger by ledger; each ledger once where
 * its proofs come in a row. A network none of whose servers can be reached, or that give no more answers, is
 * told once, and not asked again.
 */
export function openAskedLedger(urls: readonly string[], tell: Tell): AskedLedger {
  const server = urls.map(serverName).join(', ');
  const gateways = new Map<Network, LedgerGateway>();
  const connections = new Map<Network, Promise<{ readonly standalone: boolean } | null>>();
  const unanswered = new Map<Network, number>();
  let last: { readonly key: string; readonly finding: Promise<LedgerFinding> } | null = null;
  const fault = (what: string) => tell({ in: 'ledger', position: null, column: null, what });
  const connect = async (network: Network) => {
    const gateway = openGateway({ network, urls });
    gateways.set(network, gateway);
    const status = await untilConnected(gateway);
    if (status !== null) return status;
    fault(
      `no anchor on ${network} could be checked: ${server} cannot be reached, or is no server of that network`,
    );
    return null;
  };
  const reach = async (network: Network, index: number): Promise<LedgerFinding> => {
    const connecting = connections.get(network) ?? connect(network);
    connections.set(network, connecting);
    const status = await connecting;
    const gateway = gateways.get(network);
    const failures = unanswered.get(network) ?? 0;
    if (status === null || !gateway || failures === mostUnanswered) {
      return { asked: false, why: 'told once' };
    }
    const { standalone } = status;
    try {
      const ledger = isLedgerIndex(index) ? await askPatiently(gateway, index) : null;
      unanswered.delete(network);
      return { asked: true, reached: true, server, standalone, ledger };
    } catch (error) {
      unanswered.set(network, failures + 1);
      if (failures + 1 === mostUnanswered) {
        const why = `${server} gave no usable answer for ${mostUnanswered} ledgers in a row`;
        fault(`no later anchor on ${network} could be checked: ${why}`);
      }
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

/** Rows may say anything; only a number of 32 bits is worth a question. */
function isLedgerIndex(index: unknown): boolean {
  return Number.isInteger(index) && Number(index) > 0 && Number(index) < 2 ** 32;
}

type Connected = Extract<LedgerStatus, { readonly connected: true }>;

/** Null where no server of the network is connected for some time. */
function untilConnected({ status }: LedgerGateway): Promise<Connected | null> {
  const connected = status.pipe(
    filter((now): now is Connected => now.connected),
    timeout({ first: connectMs }),
  );
  return firstValueFrom(connected).catch(() => null);
}

/** Servers drop clients and are replaced: a ledger is asked for again before it counts as unanswered. */
async function askPatiently(
  gateway: LedgerGateway,
  index: number,
): Promise<ValidatedLedger | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await gateway.ledger(index);
    } catch (error) {
      if (attempt === mostAttempts) throw error;
      await delay(pauseMs * attempt);
      await untilConnected(gateway);
    }
  }
}
