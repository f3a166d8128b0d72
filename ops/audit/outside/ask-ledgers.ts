import { setTimeout as delay } from 'node:timers/promises';
import { filter, firstValueFrom, timeout, timer } from 'rxjs';
import type { LedgerFinding } from '../../../src/certificates/check-on-ledger.ts';
import { type Network, networks } from '../../../src/domain/network.ts';
import type { LedgerGateway, LedgerStatus, ValidatedLedger } from '../../../src/ledger/contract.ts';
import { openGateway } from '../../../src/ledger/gateway.ts';
import { serverName } from '../../../src/ledger/server-status.ts';
import type { AskLedger } from '../anchors/anchor-audit-options.ts';
import type { Unchecked } from '../findings/fault.ts';

const connectMs = 10_000;
const mostAttempts = 3;
const pauseMs = 250;
const lookEveryMs = 20;
/** After this many ledgers in a row without a usable answer, a network is no longer asked. */
const mostUnanswered = 3;

export interface AskedLedger {
  readonly ask: AskLedger;
  /** Resolves when every server is connected or was tried, after `connectMs` at the latest. */
  networks(): Promise<ReachedNetworks>;
  close(): Promise<void>;
}

export interface ReachedNetworks {
  /** The networks with a connected server. */
  readonly gateways: readonly LedgerGateway[];
  /** Servers that are connected for no network: scheme and host of each, with the reason. */
  readonly unreached: readonly string[];
}

/**
 * Asks servers (ws:// or wss://) of one or several networks, ledger by ledger. Asks once for a
 * ledger whose proofs come in a row. Reports a network once if none of its servers can be reached,
 * or if they give no more answers. That network is not asked again.
 */
export function openAskedLedger(
  urls: readonly string[],
  reportUnchecked: (unchecked: Unchecked) => void,
): AskedLedger {
  const server = urls.map(serverName).join(', ');
  const gateways = new Map<Network, LedgerGateway>();
  const connections = new Map<Network, Promise<{ readonly standalone: boolean } | null>>();
  const unanswered = new Map<Network, number>();
  let last: { readonly key: string; readonly finding: Promise<LedgerFinding> } | null = null;
  const unchecked = (what: string) =>
    reportUnchecked({ in: 'ledger', position: null, column: null, what });
  const gatewayTo = (network: Network) => {
    const gateway = gateways.get(network) ?? openGateway({ network, urls });
    gateways.set(network, gateway);
    return gateway;
  };
  const connect = async (network: Network) => {
    const status = await untilConnected(gatewayTo(network));
    if (status !== null) return status;
    unchecked(
      `no anchor on ${network} could be checked: ${server} cannot be reached, or does not serve that network. Name a server of that network with --ledger`,
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
      return { asked: false, why: `${network} is unavailable, as reported before` };
    }
    const { standalone } = status;
    try {
      const ledger = isLedgerIndex(index) ? await askPatiently(gateway, index) : null;
      unanswered.delete(network);
      return { asked: true, reached: true, server, standalone, ledger };
    } catch (error) {
      unanswered.set(network, failures + 1);
      const reason = error instanceof Error ? error.message : String(error);
      const why = `${server}: ${reason.slice(0, 200)}`;
      unchecked(`the anchors in ledger ${index} on ${network}: ${why}`);
      if (failures + 1 === mostUnanswered) {
        unchecked(
          `no later anchor on ${network} was checked: ${server} gave no usable answer for ${mostUnanswered} ledgers in a row. Audit again later, or name another server with --ledger`,
        );
      }
      return { asked: true, reached: false, why };
    }
  };
  return {
    ask(network, index) {
      const key = `${network} ${index}`;
      if (last?.key !== key) last = { key, finding: reach(network, index) };
      return last.finding;
    },
    async networks() {
      const all = networks.map(gatewayTo);
      await untilTried(all, urls.length);
      const unreached = urls.flatMap((url, index) => {
        const reason = reasonAgainst(all, index);
        return reason === null ? [] : [`${serverName(url)} (${reason})`];
      });
      return { gateways: all.filter((gateway) => gateway.current().connected), unreached };
    },
    async close() {
      await Promise.all([...gateways.values()].map((gateway) => gateway.close()));
    },
  };
}

/** Rows may hold any value; only a positive 32-bit number is worth a request. */
function isLedgerIndex(index: unknown): boolean {
  return Number.isInteger(index) && Number(index) > 0 && Number(index) < 2 ** 32;
}

type Connected = Extract<LedgerStatus, { readonly connected: true }>;

/** Null if no server of the network is connected within `connectMs`. */
function untilConnected({ status }: LedgerGateway): Promise<Connected | null> {
  const connected = status.pipe(
    filter((now): now is Connected => now.connected),
    timeout({ first: connectMs }),
  );
  return firstValueFrom(connected).catch(() => null);
}

/** Resolves when every server is connected to a gateway, or was tried by all of them. */
async function untilTried(gateways: readonly LedgerGateway[], servers: number): Promise<void> {
  const wasTried = (index: number) => {
    const states = gateways.map((gateway) => gateway.servers()[index]?.state);
    return states.includes('ready') || !states.includes('connecting');
  };
  const tried = timer(0, lookEveryMs).pipe(
    filter(() => Array.from({ length: servers }, (_, index) => index).every(wasTried)),
    timeout({ first: connectMs }),
  );
  await firstValueFrom(tried).catch(() => null);
}

/** Reason why the server with this index is connected to no gateway; null if it is connected. */
function reasonAgainst(gateways: readonly LedgerGateway[], index: number): string | null {
  const all = gateways.flatMap((gateway) => gateway.servers()[index] ?? []);
  if (all.some(({ state }) => state === 'ready')) return null;
  const failed = all.find(({ state }) => state !== 'refused');
  if (failed === undefined) return `it serves neither ${networks.join(' nor ')}`;
  return failed.state === 'connecting'
    ? `no answer within ${connectMs / 1_000} s`
    : (failed.reason ?? 'not connected');
}

/** Retries, since servers drop clients and are replaced. */
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
