import {
  combineLatest,
  distinctUntilChanged,
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
  HistoryPage,
  LedgerGateway,
  LedgerStatus,
  ShownLedger,
  TransactionLookup,
} from './contract.ts';
import { isSame, numberEpochs, serverOf, statusOf } from './gateway-status.ts';
import { LedgerUnavailable, Unanswered, Withdrawn } from './ledger-unavailable.ts';
import { reachLedger } from './reach-ledger.ts';
import { ReportedTips } from './reported-tips.ts';
import { type ServerConnection, superviseServer } from './server-connection.ts';
import { askAccount, askTransaction, requestLedger, submitTo } from './server-requests.ts';
import { maxLagLedgers, showMs, shownBefore, shownTip, tipIndexOf } from './shown-tip.ts';
import { SubmissionPlaces } from './submission-places.ts';

/** Maximum time by which a server in use gets a ledger later than another one does, on average. */
const reachMs = 1_000;

/** Connects to the servers, listed in order of preference, and returns their gateway. */
export function openGateway(options: {
  readonly network: Network;
  readonly urls: readonly string[];
  /** Shared with other connections to the same servers. */
  readonly books?: ChargeBooks;
  readonly silenceMs?: number;
  readonly requestTimeoutMs?: number;
  readonly asideMs?: number;
  /** Unix time in milliseconds, to compare close times with; Date.now. */
  readonly now?: () => number;
  readonly onTrouble?: (server: string, reason: string) => void;
  readonly onRefused?: (server: string, reason: string) => void;
}): LedgerGateway {
  const { network, urls, books = createChargeBooks(), now, ...rest } = options;
  const networkId = networkIds[network];
  return createGateway(
    network,
    urls.map((url) => superviseServer({ ...rest, url, networkId, book: books(url) })),
    now,
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
  now: () => number = Date.now,
): LedgerGateway {
  const states = combineLatest(servers.map((server) => server.status));
  const status = states.pipe(
    map(statusOf),
    map(numberEpochs()),
    distinctUntilChanged(isSame),
    shareReplay({ bufferSize: 1, refCount: false }),
  );
  let latest: LedgerStatus = statusOf(servers.map((server) => server.current()));
  let isStandalone = false;
  const watching = status.subscribe((next) => {
    latest = next;
    if (next.connected) isStandalone = next.standalone;
  });
  const reported = new Map(
    servers.map((server) => [server, new ReportedTips(server.status, now)] as const),
  );
  const watched = {
    ...{ now, unansweredSince: new Map<ServerConnection, number>() },
    reportedUpTo: (server: ServerConnection, index: number) =>
      reported.get(server)?.upTo(index) ?? null,
  };
  const name = () => (isStandalone ? 'standalone' : network);

  const ready = () => servers.filter((server) => server.current().state === 'ready');

  /** The servers that can be asked now, the preferred one first. */
  const usable = () => {
    const newest = Math.max(...ready().map(tipIndexOf));
    return ready().filter((server) => newest - tipIndexOf(server) <= maxLagLedgers);
  };

  const places = new SubmissionPlaces<ServerConnection>();

  /**
   * Asks one server after another. Returns null only if every server answered null. Sets a server aside
   * that is silent to the question, once another one answers it: then neither the question nor our network
   * is the reason. A null answers nothing: it comes at once from a server with a short history.
   */
  const ask = async <Result>(
    question: (server: ServerConnection) => Promise<Result | null>,
    asked: readonly ServerConnection[] = usable(),
  ): Promise<Result | null> => {
    let trouble: unknown = null;
    const silent: ServerConnection[] = [];
    for (const server of asked) {
      try {
        const answer = await question(server);
        if (answer === null) continue;
        for (const one of silent) one.setAside('it leaves requests unanswered');
        return answer;
      } catch (error) {
        // A server that was asked before may have the transaction.
        if (error instanceof Withdrawn) {
          throw LedgerUnavailable.wrap(trouble ?? error, `no server of ${name()} answers`);
        }
        trouble = error;
        if (error instanceof Unanswered && server.isSilent(error.command)) silent.push(server);
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
          firstValueFrom(from(showLedger(server, index)).pipe(timeout(showMs))),
        ),
      );
      const answers = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      if (answers.length === 0) {
        throw LedgerUnavailable.wrap(null, `no server of ${name()} shows ledger ${index}`);
      }
      const isShown = answers.some(({ ledger }) => ledger !== null);
      outcomes.forEach((outcome, at) => {
        const server = asked[at];
        if (outcome.status === 'rejected') {
          server?.setAside(`it does not show ledger ${index}: ${reasonOf(outcome.reason)}`);
        } else if (isShown && outcome.value.ledger === null) {
          server?.setAside(`it does not have ledger ${index}, which others show`);
        }
      });
      return answers;
    },
    shown: (tip) => shownTip(tip, { usable: usable(), ready: ready() }, watched),
    shownBefore: (tip) => shownBefore(tip, { usable: usable(), ready: ready() }),
    account: (address, minLedger, doubted = 0) => {
      const all = usable();
      const first = doubted % Math.max(1, all.length);
      if (first === 0) {
        const recent = all.filter((server) => tipIndexOf(server) >= minLedger);
        return ask((server) => askAccount(server, address), recent);
      }
      // A doubted server must not be the only one that is asked because it is the first at a ledger.
      return ask(
        async (server) => {
          await reachLedger(server, minLedger, reachMs);
          return askAccount(server, address);
        },
        [...all.slice(first), ...all.slice(0, first)],
      );
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
      return others.reduce((a, b) => (searchedBy(b) < searchedBy(a) ? b : a), first);
    },
    async submit(blob, earlier = 0, isWanted) {
      let asked = places.order(usable(), earlier);
      while (asked === null) {
        await places.freed();
        asked = places.order(usable(), earlier);
      }
      const answer = await ask(
        (server) => places.use(server, () => submitTo(server, blob, isWanted)),
        asked,
      );
      if (answer === null) throw new LedgerUnavailable(`no server of ${name()} is connected`);
      return answer;
    },
    submissionsWithin: (ms) =>
      usable().reduce((sum, server) => sum + server.book.submissionsWithin(ms), 0),
    submissionsWaiting: () =>
      servers.reduce((sum, server) => sum + server.book.submissionsWaiting(), 0),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      watching.unsubscribe();
      for (const tips of reported.values()) tips.end();
    },
  };
}

/** The ledger from a server that may lag a little. */
async function showLedger(server: ServerConnection, index: number): Promise<ShownLedger> {
  await reachLedger(server, index, showMs);
  return { server: server.name, ledger: await requestLedger(server, index) };
}

/** First ledger that was searched; none if a server that does not know the account did not say. */
function searchedBy({ searchedFrom }: HistoryPage): number {
  return searchedFrom === 0 ? Number.POSITIVE_INFINITY : searchedFrom;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
