import { filter, firstValueFrom, timeout } from 'rxjs';
import type { Network } from '../../domain/network.ts';
import type { LedgerGateway, LedgerStatus } from '../../ledger/contract.ts';
import { ledgersToLive } from '../../reactors/anchoring/preparation.ts';
import { liveAtMost, type SubmittedMark } from '../publish/submitted-mark.ts';

const patienceMs = 10 * 60_000;

/**
 * Waits until no ledger to come can have anything that was submitted before: what is not on the ledger
 * then never will be. Where the storage went back too, marks do not tell: anything may have been
 * submitted just now. Marks of a ledger that was reset since are passed over: they are far off.
 */
export async function awaitSubmitted(
  gateway: Pick<LedgerGateway, 'network' | 'status' | 'current'>,
  marks: readonly SubmittedMark[] | 'untold',
  say: (line: string) => void,
): Promise<void> {
  const { network } = gateway;
  const now = gateway.current();
  // Who is not connected says so where the ledger is asked.
  if (!now.connected) return;
  const last =
    marks === 'untold'
      ? now.tip.index + ledgersToLive
      : marks.reduce(
          (max, mark) => (isOf(now, network, mark) ? Math.max(max, mark.lastLedger) : max),
          0,
        );
  const isPast = (status: LedgerStatus) => status.connected && status.tip.index > last;
  if (isPast(now)) return;
  say(`waiting for ledger ${last + 1} of ${network}: what was submitted may come until then`);
  const past = gateway.status.pipe(filter(isPast), timeout({ first: patienceMs }));
  await firstValueFrom(past).catch((cause: unknown) => {
    throw new Error(`${network} has not come to ledger ${last + 1}: run this again later`, {
      cause,
    });
  });
}

/** And not of one that began anew since. */
function isOf({ tip }: Connected, network: Network, mark: SubmittedMark): boolean {
  return mark.network === network && mark.lastLedger <= tip.index + liveAtMost;
}

type Connected = Extract<LedgerStatus, { readonly connected: true }>;
