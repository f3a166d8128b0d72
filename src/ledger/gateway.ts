import {
  combineLatest,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  from,
  map,
  shareReplay,
  timeout,
} from 'rxjs';
import type { Network } from '../domain/network.ts';
import { networkIds } from '../domain/network.ts';
import { askHistory } from './ask-history.ts';
import { type ChargeBooks, createChargeBooks } from './charge-books.ts';
import type {
  LedgerGateway,
  LedgerServer,
  LedgerStatus,
  TransactionLookup,
  ValidatedLedger,
} from './contract.ts';
import { LedgerUnavailable } from './ledger-unavailable.ts';
import { type ServerConnection, superviseServer } from './server-connection.ts';
import { askAccount, askTransaction, requestLedger, submitTo } from './server-requests.ts';
import type { ServerStatus } from './server-status.ts';

/** Connects to the servers, listed in order of preference, and returns their gateway. */
export function openGateway(options: {
  readonly network: Network;
  readonly urls: readonly string[];
  /** Shared with other connections to the same servers. */
  readonly books?: ChargeBooks;
  readonly silenceMs?: number;
  readonly requestTimeoutMs?: number;
  readonly asideMs?: number;
  readonly onTrouble?: (server: string, reason: string) => void;
  readonly onRefused?: (server: string, reason: string) => void;
}): LedgerGateway {
  const { network, urls, books = createChargeBooks(), ...rest } = options;
  const networkId = networkIds[network];
  return createGateway(
    network,
    urls.map((url) => superviseServer({ ...rest, url, networkId, book: books(url) })),
  );
}

/**
 * The gateway over supervised servers, in order of preference. A server is used while it is
 * connected, of the right network and close to the newest ledger seen on any server. The next
 * server is asked if one cannot answer. Closing the gateway closes its servers.
 */
export function createGateway(
  network: Network,
  servers: readonly ServerConnection[],
): LedgerGateway {
  const states = combineLatest(servers.map((server) => server.status));
  const status = states.pipe(
    map(statusOf),
    distinctUntilChanged(isSame),
    shareReplay({ bufferSize: 1, refCount: false }),
  );
  let latest: LedgerStatus = statusOf(servers.map((server) => server.current()));
  let isStandalone = false;
  const watching = status.subscribe((next) => {
    latest = next;
    if (next.connected) isStandalone = next.standalone;
  });
  const name = () => (isStandalone ? 'standalone' : network);

  const ready = () => servers.filter((server) => server.current().state === 'ready');

  /** The servers that can be asked now, the preferred one first. */
  const usable = () => {
    const newest = Math.max(...ready().map(tipIndexOf));
    return ready().filter((server) => newest - tipIndexOf(server) <= maxLagLedgers);
  };

  /** Asks one server after another. Returns null only if every server answered null. */
  const ask = async <Result>(
    question: (server: ServerConnection) => Promise<Result | null>,
    asked: readonly ServerConnection[] = usable(),
  ): Promise<Result | null> => {
    let trouble: unknown = null;
    for (const server of asked) {
      try {
        const answer = await question(server);
        if (answer !== null) return answer;
      } catch (error) {
        trouble = error;
      }
    }
    if (asked.length > 0 && trouble === null) return null;
    throw LedgerUnavailable.wrap(trouble, `no server of ${name()} answers`);
  };

  return {
    network,
    name,
    status,
    current: () => latest,
    servers: () => servers.map((server) => serverOf(server.name, server.current())),
    ledger: (index, hash) =>
      ask(async (server) => {
        const ledger = await requestLedger(server, index);
        return hash === undefined || ledger?.hash === hash ? ledger : null;
      }),
    async ledgers(index) {
      const asked = ready();
      const outcomes = await Promise.allSettled(
        asked.map((server) =>
          firstValueFrom(from(showLedger(server, index)).pipe(timeout(compareMs))),
        ),
      );
      const answers = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      if (answers.length === 0) {
        throw LedgerUnavailable.wrap(null, `no server of ${name()} shows ledger ${index}`);
      }
      const isShown = answers.some((ledger) => ledger !== null);
      outcomes.forEach((outcome, at) => {
        const server = asked[at];
        if (outcome.status === 'rejected') {
          server?.setAside(`it does not show ledger ${index}: ${reasonOf(outcome.reason)}`);
        } else if (isShown && outcome.value === null) {
          server?.setAside(`it does not have ledger ${index}, which others show`);
        }
      });
      return answers;
    },
    account: (address, minLedger) => {
      const recent = usable().filter((server) => tipIndexOf(server) >= minLedger);
      return ask((server) => askAccount(server, address), recent);
    },
    async lookUp(hash, range) {
      const absent = { found: 'absent', searchedAll: false } as const;
      let seen: TransactionLookup = absent;
      const answer = await ask(async (server) => {
        const lookup = await askTransaction(server, hash, range);
        if (lookup.found === 'validated') return lookup;
        if (lookup.found === 'absent' && lookup.searchedAll) return lookup;
        if (seen.found === 'absent') seen = lookup;
        return null;
      });
      return answer ?? seen;
    },
    async sent(address, from, since) {
      const asked = usable();
      const outcomes = await Promise.allSettled(
        asked.map((server) => askHistory(server, address, from, since)),
      );
      const pages = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const [first, ...others] = pages;
      if (first === undefined) {
        const failed = outcomes.find((one) => one.status === 'rejected');
        throw LedgerUnavailable.wrap(failed?.reason ?? null, `no server of ${name()} answers`);
      }
      return others.reduce((a, b) => (b.searchedFrom < a.searchedFrom ? b : a), first);
    },
    async submit(blob) {
      // Servers at their limit share the load; otherwise the preferred one gets all submissions.
      const soonest = usable().sort((a, b) => a.book.waitMs() - b.book.waitMs());
      const answer = await ask((server) => submitTo(server, blob), soonest);
      if (answer === null) throw new LedgerUnavailable(`no server of ${name()} is connected`);
      return answer;
    },
    submissionsWithin: (ms) =>
      usable().reduce((sum, server) => sum + server.book.submissionsWithin(ms), 0),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      watching.unsubscribe();
    },
  };
}

/** Maximum lag behind another server, in validated ledgers, of a server in use. */
const maxLagLedgers = 2;
const compareMs = 3_000;

/** The ledger from a server that may lag a little: waits until the server has reached it. */
async function showLedger(
  server: ServerConnection,
  index: number,
): Promise<ValidatedLedger | null> {
  const hasCome = (status: ServerStatus) => status.state === 'ready' && status.tip.index >= index;
  await firstValueFrom(server.status.pipe(filter(hasCome)));
  return requestLedger(server, index);
}

function tipIndexOf(server: ServerConnection): number {
  const status = server.current();
  return status.state === 'ready' ? status.tip.index : 0;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function serverOf(name: string, status: ServerStatus): LedgerServer {
  const none = { tip: null, reason: null, amendmentBlocked: false, unsupportedMajority: null };
  const { state } = status;
  if (state === 'ready') {
    const { tip, unsupportedMajority } = status;
    return { ...none, name, state, tip, unsupportedMajority };
  }
  const { reason } = status;
  const amendmentBlocked = state === 'lost' && status.amendmentBlocked === true;
  return { ...none, name, state, reason, amendmentBlocked };
}

function statusOf(states: readonly ServerStatus[]): LedgerStatus {
  const ready = states.filter((state) => state.state === 'ready');
  if (ready.length === 0) {
    const reasons = states.map((state) => ('reason' in state ? state.reason : ''));
    return { connected: false, reason: reasons.join('; ') };
  }
  const newest = ready.reduce((best, state) => (state.tip.index > best.tip.index ? state : best));
  const { state: _, connection: __, unsupportedMajority: ___, ...reported } = newest;
  const epoch = states.map((state) => (state.state === 'ready' ? state.connection : '-')).join(' ');
  return { connected: true, epoch, ...reported };
}

function isSame(a: LedgerStatus, b: LedgerStatus): boolean {
  if (!a.connected || !b.connected) {
    return !a.connected && !b.connected && a.reason === b.reason;
  }
  const fees = a.openLedgerFeeDrops === b.openLedgerFeeDrops && a.baseFeeDrops === b.baseFeeDrops;
  return (
    fees &&
    a.queueFeeDrops === b.queueFeeDrops &&
    a.expectedLedgerSize === b.expectedLedgerSize &&
    a.tip.hash === b.tip.hash &&
    a.epoch === b.epoch
  );
}
