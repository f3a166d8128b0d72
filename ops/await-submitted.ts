import { filter, firstValueFrom, timeout } from 'rxjs';
import { liveAtMost, type SubmittedMark } from '../src/domain/log/submitted-mark.ts';
import type { LedgerGateway, LedgerStatus } from '../src/ledger/contract.ts';

const patienceMs = 10 * 60_000;

/**
 * Waits until no ledger to come can have anything that was submitted before: what is not on the ledger
 * then never will be. Marks of a ledger that was reset since are passed over: they are far off.
 */
export async function awaitSubmitted(
  gateway: Pick<LedgerGateway, 'network' | 'status' | 'current'>,
  marks: readonly SubmittedMark[],
  say: (line: string) => void,
): Promise<void> {
  const { network } = gateway;
  const own = marks.filter((mark) => mark.network === network);
  const last = own.reduce((max, { lastLedger }) => Math.max(max, lastLedger), 0);
  const isPast = (status: LedgerStatus) =>
    status.connected && (status.tip.index > last || status.tip.index < last - liveAtMost);
  const now = gateway.current();
  // Who is not connected says so where the ledger is asked.
  if (last === 0 || !now.connected || isPast(now)) return;
  say(`waiting for ledger ${last + 1} of ${network}: what was submitted may come until then`);
  const past = gateway.status.pipe(filter(isPast), timeout({ first: patienceMs }));
  await firstValueFrom(past).catch((cause: unknown) => {
    throw new Error(`${network} has not come to ledger ${last + 1}: run this again later`, {
      cause,
    });
  });
}
