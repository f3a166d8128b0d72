import { filter, firstValueFrom, timeout } from 'rxjs';
import type { Network } from '../../domain/network.ts';
import type { LedgerGateway, LedgerStatus } from '../../ledger/contract.ts';
import { ledgersToLive } from '../../reactors/anchoring/preparation.ts';
import { liveAtMost, type SubmittedMark } from '../published/submitted-mark.ts';

const patienceMs = 10 * 60_000;

/**
 * Waits until no future ledger can contain a transaction that was submitted before. A transaction
 * that is not on the ledger by then never will be.
 *
 * `unknown` means that the storage was restored too, so its marks may be incomplete. The wait is
 * then as long as for a transaction submitted just now. Marks of a ledger that was reset since are
 * ignored: their ledger index is too high.
 */
export async function awaitSubmitted(
  gateway: Pick<LedgerGateway, 'network' | 'status' | 'current'>,
  marks: readonly SubmittedMark[] | 'unknown',
  say: (line: string) => void,
): Promise<void> {
  const { network } = gateway;
  const now = gateway.current();
  // Later requests to the ledger report a missing connection.
  if (!now.connected) return;
  const last =
    marks === 'unknown'
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
    throw new Error(
      `${network} has not reached ledger ${last + 1} yet: run the command again later`,
      {
        cause,
      },
    );
  });
}

/** Checks that the mark is of this network, and not of a ledger that was reset since. */
function isOf({ tip }: Connected, network: Network, mark: SubmittedMark): boolean {
  return mark.network === network && mark.lastLedger <= tip.index + liveAtMost;
}

type Connected = Extract<LedgerStatus, { readonly connected: true }>;
