import { firstValueFrom, from, TimeoutError, timeout, timer } from 'rxjs';
import { epochOffsetSeconds, minIntervalSeconds } from '../domain/ledger/close-time.ts';
import type { LedgerTip } from './contract.ts';
import { LedgerUnavailable } from './ledger-unavailable.ts';
import { reachLedger } from './reach-ledger.ts';
import type { ReportedTip } from './reported-tips.ts';
import type { ServerConnection } from './server-connection.ts';
import { requestHeader } from './server-requests.ts';

/** Maximum lag behind another server, in validated ledgers, of a server in use. */
export const maxLagLedgers = 2;
/** Maximum time for a server to show a ledger that it reported. */
export const showMs = 3_000;

/** Time after which a server that does not have the ledger that it reported is asked again. */
const askAgainMs = 1_000;
/**
 * Time for which a server that makes others seem to lag may leave requests for its ledger unanswered, in
 * milliseconds. Our own load may let a request wait for some seconds.
 */
const maxUnansweredMs = 30_000;
/** Distances of the older ledgers that are looked at in place of a tip that no server shows. */
const olderBy = [maxLagLedgers, 8];
/** Maximum time by which close times, which are rounded, and our clock differ, in seconds. */
const clockSlackSeconds = 10;
/** Time by which a close time may be later than our clock, in seconds: the clock may be wrong. */
const maxFutureSeconds = 3_600;

/** The newest ledger up to this index that the server has reported on its present connection. */
type ReportedUpTo = (server: ServerConnection, index: number) => ReportedTip | null;

interface Servers {
  /** Servers that do not lag. */
  readonly usable: readonly ServerConnection[];
  /** Connected servers. */
  readonly ready: readonly ServerConnection[];
}

interface Watched {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly reportedUpTo: ReportedUpTo;
  /** Since when servers leave requests for ledgers that they reported unanswered, by our clock. */
  readonly unansweredSince: Map<ServerConnection, number>;
}

/** Index of the server's newest validated ledger; 0 while it is not connected. */
export function tipIndexOf(server: ServerConnection): number {
  return tipOf(server)?.index ?? 0;
}

/** Returns true if the ledger makes the server seem to lag. */
export function isOutrun(tipIndex: number, server: Pick<LedgerTip, 'index'>): boolean {
  return tipIndex - server.index > maxLagLedgers;
}

/**
 * The reported tip as its ledger's header states it; null if none of the `usable` servers shows it.
 * A server may report any number. If its number makes others of the `ready` servers seem to lag, or
 * another one shows a different ledger of this number, and it answers twice that it does not have the
 * ledger, it is set aside: the others are used again. Twice, since several servers may be behind its
 * name, and one may get a ledger later than another. One that only gives no answer has half a minute.
 *
 * It is set aside, too, if it shows a header that it may have invented: one that closed far in the
 * future, or one that no other server shows, further ahead of theirs than ledgers can close. A server
 * that has reported the ledgers in between one after another has not invented it because one lags.
 */
export async function shownTip(
  tip: LedgerTip,
  { usable, ready }: Servers,
  watched: Watched,
): Promise<LedgerTip | null> {
  // The development ledger may close any number of ledgers in a second. Alone: its name proves nothing.
  const isPublic = ready.some(isOfPublicNetwork);
  let asked = usable.map((server) => ({ server, reported: tipOf(server) }));
  let isContradicted = false;
  for (const pauseMs of [0, askAgainMs]) {
    await firstValueFrom(timer(pauseMs));
    const unshown: typeof asked = [];
    for (const { server, reported } of asked) {
      const header = await headerWithin(server, tip.index);
      if (header !== 'unanswered') watched.unansweredSince.delete(server);
      if (header !== 'unanswered' && header?.hash === tip.hash) {
        const others = { server, outrun: outrunBy(tip, ready), ready };
        const doubt = isPublic ? await doubtOn(header, others, watched) : null;
        if (doubt === null) return header;
        if (doubt !== 'unanswered' && ready.length > 1) server.setAside(doubt);
        continue;
      }
      isContradicted ||= header !== null && header !== 'unanswered';
      const isReported = reported?.index === tip.index && reported.hash === tip.hash;
      if (isReported && (header !== 'unanswered' || isOverdue(server, watched))) {
        unshown.push({ server, reported });
      }
    }
    asked = unshown;
    // A server that makes no other one seem to lag does no harm.
    const isHarmful = isContradicted || outrunBy(tip, ready).length > 0;
    if (!isHarmful || asked.length === 0 || ready.length === 1) return null;
  }
  for (const { server } of asked) {
    watched.unansweredSince.delete(server);
    server.setAside(`it reported ledger ${tip.index}, but does not show it`);
  }
  return null;
}

/**
 * A ledger shortly before a tip that no server shows: a server may report ledgers that do not exist, or
 * show each one late. Null if the tip makes a server seem to lag, and unless more servers show it than
 * another one.
 */
export async function shownBefore(
  tip: LedgerTip,
  { usable, ready }: Servers,
): Promise<LedgerTip | null> {
  if (outrunBy(tip, ready).length > 0) return null;
  for (const distance of olderBy) {
    const index = tip.index - distance;
    const answers = await Promise.all(usable.map((server) => headerWithin(server, index)));
    const headers = answers.filter((one) => one !== 'unanswered').filter((one) => one !== null);
    const shownBy = ({ hash }: LedgerTip) => headers.filter((one) => one.hash === hash).length;
    const [first, second] = [...new Map(headers.map((one) => [one.hash, one])).values()].sort(
      (a, b) => shownBy(b) - shownBy(a),
    );
    if (first === undefined) continue;
    return second === undefined || shownBy(first) > shownBy(second) ? first : null;
  }
  return null;
}

/** The servers that the tip makes seem to lag. */
function outrunBy(tip: LedgerTip, ready: readonly ServerConnection[]): ServerConnection[] {
  return ready.filter((server) => {
    const own = tipOf(server);
    return own !== null && isOutrun(tip.index, own);
  });
}

/** True if the server has given no answer for too long. */
function isOverdue(server: ServerConnection, { now, unansweredSince }: Watched): boolean {
  const since = unansweredSince.get(server) ?? now();
  unansweredSince.set(server, since);
  return now() - since >= maxUnansweredMs;
}

/**
 * Reason to take the header for an invented one; null if there is none. `unanswered` if there may be one,
 * and no server that would know has answered.
 */
async function doubtOn(
  header: LedgerTip,
  {
    server,
    outrun,
    ready,
  }: {
    readonly server: ServerConnection;
    readonly outrun: readonly ServerConnection[];
    readonly ready: readonly ServerConnection[];
  },
  { now, reportedUpTo }: Watched,
): Promise<string | 'unanswered' | null> {
  const nowSeconds = now() / 1_000 - epochOffsetSeconds;
  if (header.closeTime > nowSeconds + maxFutureSeconds) {
    return `its ledger ${header.index} closed in the future`;
  }
  const isPossible = (from: number, seconds: number) =>
    header.index - from <= maxLagLedgers + (seconds + clockSlackSeconds) / minIntervalSeconds;
  // The ledgers that this server seems to lack have closed since its own newest one. It may state a wrong
  // time, and our clock may be slow: so it counts, too, when the suspected server was as far.
  const isTooFar = async (other: ServerConnection): Promise<boolean> => {
    const own = tipOf(other);
    if (own === null || !isOfPublicNetwork(other) || other.isSilent('ledger')) return false;
    const sinceClosed = (tip: LedgerTip) => Math.max(0, nowSeconds - tip.closeTime);
    if (isPossible(own.index, sinceClosed(own))) return false;
    const from = reportedUpTo(server, own.index);
    const wasThere = from !== null && !isOutrun(own.index, from);
    if (wasThere && isPossible(from.index, (now() - from.atMs) / 1_000)) return false;
    // The hash of its own newest ledger covers the true time.
    const same = await headerWithin(server, own.index);
    const isSame = same !== null && same !== 'unanswered' && same.hash === own.hash;
    return !isSame || !isPossible(own.index, sinceClosed(same));
  };
  const deniers = new Set<ServerConnection>();
  for (const other of outrun) if (await isTooFar(other)) deniers.add(other);
  if (deniers.size === 0) return null;
  const others = ready.filter((other) => other !== server);
  const answers = await Promise.all(
    others.map(async (other) => ({ other, shown: await headerInTime(other, header.index) })),
  );
  const isOf = (shown: LedgerTip | 'unanswered' | null) =>
    shown !== 'unanswered' && shown?.hash === header.hash;
  if (answers.some(({ shown }) => isOf(shown))) return null;
  const isDenied = answers.some(({ other, shown }) => deniers.has(other) && shown !== 'unanswered');
  return isDenied ? `no other server shows its ledger ${header.index}` : 'unanswered';
}

/** The header from a server that may reach the ledger a moment later. */
async function headerInTime(server: ServerConnection, index: number) {
  await reachLedger(server, index, showMs).catch(() => {});
  return headerWithin(server, index);
}

/** A malformed answer shows no ledger. */
async function headerWithin(
  server: ServerConnection,
  index: number,
): Promise<LedgerTip | 'unanswered' | null> {
  const header = from(requestHeader(server, index)).pipe(timeout(showMs));
  return firstValueFrom(header).catch((error) =>
    error instanceof TimeoutError || error instanceof LedgerUnavailable ? 'unanswered' : null,
  );
}

function tipOf(server: ServerConnection): LedgerTip | null {
  const status = server.current();
  return status.state === 'ready' ? status.tip : null;
}

function isOfPublicNetwork(server: ServerConnection): boolean {
  const status = server.current();
  return status.state === 'ready' && !status.standalone;
}
