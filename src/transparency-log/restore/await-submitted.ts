import { exhaustMap, filter, firstValueFrom, merge, timeout, timer } from 'rxjs';
import {
  epochOffsetSeconds,
  isCurrent,
  minIntervalSeconds,
} from '../../domain/ledger/close-time.ts';
import type { Network } from '../../domain/network.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { LedgerGateway, LedgerTip } from '../../ledger/contract.ts';
import { ledgersToLive } from '../../ledger/ledgers-to-live.ts';
import { maxLagLedgers } from '../../ledger/shown-tip.ts';
import { liveAtMost, type SubmittedMark } from '../published/submitted-mark.ts';

const patienceMs = 10 * 60_000;
const againMs = 1_000;

/**
 * Waits until no future ledger can contain a transaction that was submitted before. A transaction
 * that is not on the ledger by then never will be. Only current ledgers that a server shows count, and
 * all servers in use must have reached them: the history of a server that lags lacks the last
 * transactions. Rejects if no server is connected, and if none shows a current ledger in time.
 *
 * `unknown` means that the storage was restored too, so its marks may be incomplete. The wait is
 * then as long as for a transaction submitted just now. Marks of a ledger that was reset since are
 * ignored: their ledger index is too high.
 */
export async function awaitSubmitted(
  gateway: Pick<LedgerGateway, 'network' | 'status' | 'current' | 'shown'>,
  marks: readonly SubmittedMark[] | 'unknown',
  say: (line: string) => void,
  now: () => Date,
): Promise<void> {
  const { network } = gateway;
  requireConnected(gateway);
  let last: number | null = null;
  let isLagging = false;
  let said = '';
  const sayOnce = (line: string) => {
    if (said !== line) say(line);
    said = line;
  };
  const isPast = (tip: LedgerTip | null): boolean => {
    if (tip === null) return false;
    isLagging = !isCurrent(tip.closeTime, now());
    if (isLagging) {
      sayOnce(`waiting for the servers of ${network}: they lag, or the clock here is fast`);
      return false;
    }
    if (marks !== 'unknown') last = lastOf(marks, { network, tip });
    last ??= newestOf(tip, now()) + ledgersToLive;
    if (last === 0 || tip.index > last + maxLagLedgers) return true;
    const until = `ledger ${last + maxLagLedgers + 1} of ${network}`;
    sayOnce(`waiting for ${until}: what was submitted may come until then`);
    return false;
  };
  const shown = merge(gateway.status, timer(againMs, againMs)).pipe(
    exhaustMap(async () => {
      const status = gateway.current();
      return status.connected ? gateway.shown(status.tip) : null;
    }),
  );
  const past = shown.pipe(filter(isPast), timeout({ first: patienceMs }));
  await firstValueFrom(past).catch((cause: unknown) => {
    const why = isLagging
      ? `the servers of ${network} lag: they show no ledger of the last minute, or the clock here is fast`
      : last === null
        ? `no server of ${network} shows the newest ledger that it reports`
        : `${network} has not reached ledger ${last + maxLagLedgers + 1} yet`;
    throw new Error(`${why}: run the command again later`, { cause });
  });
}

/** Throws with advice if no server of the network is connected. */
export function requireConnected({ network, current }: Pick<LedgerGateway, 'network' | 'current'>) {
  const status = current();
  if (status.connected) return status;
  throw new OperatorError(
    `no server of ${network} is connected (${status.reason}): the restore needs one, so run it again when one is`,
  );
}

/** Newest ledger that can have closed by now, although this current one is the newest shown. */
function newestOf(tip: LedgerTip, now: Date): number {
  const seconds = now.getTime() / 1_000 - epochOffsetSeconds - tip.closeTime;
  return tip.index + Math.ceil(Math.max(0, seconds) / minIntervalSeconds);
}

/** The last ledger of these marks of the network; 0 without one. */
function lastOf(
  marks: readonly SubmittedMark[],
  at: { readonly network: Network; readonly tip: LedgerTip },
): number {
  // The ledger is current: a mark far beyond it is of one that was reset.
  const highest = at.tip.index + liveAtMost;
  const own = marks.filter(
    ({ network, lastLedger }) => network === at.network && lastLedger <= highest,
  );
  return Math.max(0, ...own.map(({ lastLedger }) => lastLedger));
}
