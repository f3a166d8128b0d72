import { filter, firstValueFrom, from, timeout, timer } from 'rxjs';
import { epochOffsetSeconds } from '../domain/ledger/close-time.ts';
import type { LedgerTip } from './contract.ts';
import type { ReportedTip } from './reported-tips.ts';
import type { ServerConnection } from './server-connection.ts';
import { requestHeader } from './server-requests.ts';
import type { ServerStatus } from './server-status.ts';

/** Maximum lag behind another server, in validated ledgers, of a server in use. */
export const maxLagLedgers = 2;
/** Maximum time for a server to show a ledger that it reported. */
export const showMs = 3_000;

/** Time after which a server that does not have the ledger that it reported is asked again. */
const askAgainMs = 1_000;
/** Minimum average time between two validated ledgers of a public network, in seconds. */
const minIntervalSeconds = 2;
/** Maximum time by which close times, which are rounded, and our clock differ, in seconds. */
const clockSlackSeconds = 10;
/** Time by which a close time may be later than our clock, in seconds: the clock may be wrong. */
const maxFutureSeconds = 3_600;

/** The newest ledger up to this index that the server has reported on its present connection. */
type ReportedUpTo = (server: ServerConnection, index: number) => ReportedTip | null;

/** Index of the server's newest validated ledger; 0 while it is not connected. */
export function tipIndexOf(server: ServerConnection): number {
  return tipOf(server)?.index ?? 0;
}

/** Returns true if the ledger makes the server seem to lag. */
export function isOutrun(tipIndex: number, server: LedgerTip): boolean {
  return tipIndex - server.index > maxLagLedgers;
}

/**
 * The reported tip as its ledger's header states it; null if none of the `usable` servers shows it.
 * A server may report any number. If its number makes others of the `ready` servers seem to lag,
 * and it answers twice that it does not have the ledger, it is set aside: the others are used again.
 * Twice, since several servers may be behind its name, and one may get a ledger later than another.
 *
 * It is set aside, too, if it shows a header that it may have invented: one that closed far in the
 * future, or one that no other server shows, further ahead of theirs than ledgers can close. A server
 * that has reported the ledgers in between one after another has not invented it because one lags.
 */
export async function shownTip(
  tip: LedgerTip,
  servers: Record<'usable' | 'ready', readonly ServerConnection[]>,
  clock: { readonly now: () => number; readonly reportedUpTo: ReportedUpTo },
): Promise<LedgerTip | null> {
  const { usable, ready } = servers;
  const outrun = () =>
    ready.filter((server) => {
      const own = tipOf(server);
      return own !== null && isOutrun(tip.index, own);
    });
  let asked = usable.map((server) => ({ server, reported: tipOf(server) }));
  for (const pauseMs of [0, askAgainMs]) {
    await firstValueFrom(timer(pauseMs));
    const unshown: typeof asked = [];
    for (const { server, reported } of asked) {
      const header = await headerWithin(server, tip.index);
      if (header === 'unanswered') continue;
      if (header !== null && header.hash === tip.hash) {
        const others = { server, outrun: outrun(), ready };
        const doubt = isPublic(server) ? await doubtOn(header, others, clock) : null;
        if (doubt === null) return header;
        if (ready.length > 1) server.setAside(doubt);
      } else if (reported?.index === tip.index && header?.hash !== reported.hash) {
        unshown.push({ server, reported });
      }
    }
    asked = unshown;
    // A server that makes no other one seem to lag does no harm.
    if (outrun().length === 0 || asked.length === 0) return null;
  }
  for (const { server } of asked) {
    server.setAside(`it reported ledger ${tip.index}, but does not show it`);
  }
  return null;
}

/** Reason to take the header for an invented one; null if there is none. */
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
  { now, reportedUpTo }: Parameters<typeof shownTip>[2],
): Promise<string | null> {
  const nowSeconds = now() / 1_000 - epochOffsetSeconds;
  if (header.closeTime > nowSeconds + maxFutureSeconds) {
    return `its ledger ${header.index} closed in the future`;
  }
  const isPossible = (from: number, seconds: number) =>
    header.index - from <= maxLagLedgers + (seconds + clockSlackSeconds) / minIntervalSeconds;
  // The ledgers that this server seems to lack have closed since its own newest one. It may state a wrong
  // time, and our clock may be slow: so it counts, too, when the suspected server was as far.
  const isTooFar = (other: ServerConnection) => {
    const own = tipOf(other);
    if (own === null || !isPublic(other)) return false;
    if (isPossible(own.index, Math.max(0, nowSeconds - own.closeTime))) return false;
    const from = reportedUpTo(server, own.index);
    return from === null || !isPossible(from.index, (now() - from.atMs) / 1_000);
  };
  const deniers = new Set(outrun.filter(isTooFar));
  if (deniers.size === 0) return null;
  const others = ready.filter((other) => other !== server);
  const answers = await Promise.all(
    others.map(async (other) => ({ other, shown: await headerInTime(other, header.index) })),
  );
  const isOf = (shown: LedgerTip | 'unanswered' | null) =>
    shown !== 'unanswered' && shown?.hash === header.hash;
  if (answers.some(({ shown }) => isOf(shown))) return null;
  const isDenied = answers.some(({ other, shown }) => deniers.has(other) && shown !== 'unanswered');
  return isDenied ? `no other server shows its ledger ${header.index}` : null;
}

/** The header from a server that may reach the ledger a moment later. */
async function headerInTime(server: ServerConnection, index: number) {
  const hasCome = (status: ServerStatus) => status.state === 'ready' && status.tip.index >= index;
  await firstValueFrom(server.status.pipe(filter(hasCome), timeout(showMs))).catch(() => {});
  return headerWithin(server, index);
}

async function headerWithin(
  server: ServerConnection,
  index: number,
): Promise<LedgerTip | 'unanswered' | null> {
  const header = from(requestHeader(server, index)).pipe(timeout(showMs));
  return firstValueFrom(header).catch(() => 'unanswered' as const);
}

function tipOf(server: ServerConnection): LedgerTip | null {
  const status = server.current();
  return status.state === 'ready' ? status.tip : null;
}

/** False for the development ledger, which may close any number of ledgers in a second. */
function isPublic(server: ServerConnection): boolean {
  const status = server.current();
  return status.state === 'ready' && !status.standalone;
}
