import { exhaustMap, filter, firstValueFrom, merge, timeout, timer } from 'rxjs';
import { isCurrent } from '../../domain/ledger/close-time.ts';
import type { Network } from '../../domain/network.ts';
import type { LedgerGateway, LedgerTip } from '../../ledger/contract.ts';
import { maxLagLedgers } from '../../ledger/shown-tip.ts';
import { ledgersToLive } from '../../reactors/anchoring/preparation.ts';
import { liveAtMost, type SubmittedMark } from '../published/submitted-mark.ts';

const patienceMs = 10 * 60_000;
const againMs = 1_000;

/**
 * Waits until no future ledger can contain a transaction that was submitted before. A transaction
 * that is not on the ledger by then never will be. Only ledgers that a server shows count, and all
 * servers in use must have reached them. Rejects if no server is connected.
 *
 * `unknown` means that the storage was restored too, so its marks may be incomplete. The wait is
 * then as long as for a transaction submitted just now. Marks of a ledger that was reset since are
 * ignored: their ledger index is too high, although the servers show a current ledger.
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
  let isSaid = false;
  const isPast = (tip: LedgerTip | null): boolean => {
    if (tip === null) return false;
    if (marks !== 'unknown') last = lastOf(marks, { network, tip, now: now() });
    last ??= tip.index + ledgersToLive;
    if (last === 0 || tip.index > last + maxLagLedgers) return true;
    const until = `ledger ${last + maxLagLedgers + 1} of ${network}`;
    if (!isSaid) say(`waiting for ${until}: what was submitted may come until then`);
    isSaid = true;
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
    const why =
      last === null
        ? `no server of ${network} shows the newest ledger that it reports`
        : `${network} has not reached ledger ${last + maxLagLedgers + 1} yet`;
    throw new Error(`${why}: run the command again later`, { cause });
  });
}

/** Throws with advice if no server of the network is connected. */
export function requireConnected({ network, current }: Pick<LedgerGateway, 'network' | 'current'>) {
  const status = current();
  if (status.connected) return status;
  throw new Error(
    `no server of ${network} is connected (${status.reason}): the restore needs one, so run it again when one is`,
  );
}

/** The last ledger of these marks of the network; 0 without one. */
function lastOf(
  marks: readonly SubmittedMark[],
  at: { readonly network: Network; readonly tip: LedgerTip; readonly now: Date },
): number {
  // Servers that lag show an old ledger: then a mark far beyond it may be of the same network.
  const highest = isCurrent(at.tip.closeTime, at.now)
    ? at.tip.index + liveAtMost
    : Number.POSITIVE_INFINITY;
  const own = marks.filter(
    ({ network, lastLedger }) => network === at.network && lastLedger <= highest,
  );
  return Math.max(0, ...own.map(({ lastLedger }) => lastLedger));
}
