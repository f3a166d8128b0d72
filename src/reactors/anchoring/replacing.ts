import type { AnchoringFold } from '../../anchoring-state/anchoring-fold.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import type { AccountHold } from './account-hold.ts';
import type { AccountHolds } from './account-holds.ts';
import { queueLimit } from './account-limits.ts';
import type { Outstanding } from './outstanding.ts';
import { recordSigned } from './record-signed.ts';
import {
  allSigned,
  type Draft,
  type SignerTroubles,
  signTransactions,
} from './sign-transactions.ts';
import type { Submission } from './submission.ts';

/**
 * Percentage by which a server wants a transaction in its queue to be outbid (rippled: TxQ,
 * `retrySequencePercent`). The fee must be higher than that.
 */
const retrySequencePercent = 25;
/**
 * Minimum number of ledgers after the newest validated one that can still include a replacement. A
 * server queues only a transaction that lives for two ledgers after the open one (rippled: TxQ,
 * `minimumLastLedgerBuffer`), and its open ledger may be one ahead.
 */
const ledgersLeft = 4;

interface ReplacingDeps extends SignerTroubles {
  readonly store: EventStore;
  readonly locks: WorkLocks;
  readonly fold: AnchoringFold;
  readonly holds: AccountHolds;
  readonly submission: Submission;
}

/** Terms under which transactions are replaced. */
interface ReplacingTerms {
  readonly ledgerId: string;
  /** Newest ledger that a server has shown: no transaction that is signed now can be in it. */
  readonly minLedger: number;
  /** Index of the newest validated ledger, up to which all ledgers were read. */
  readonly tipIndex: number;
  /** Fee of each replacement. */
  readonly feeDrops: number;
}

/**
 * Replaces transactions that wait because they pay too little: the same Sequence, memo and last
 * ledger, and a higher fee. A validated ledger contains one of them at most, since it uses a
 * Sequence once. Each replacement is on record before it is submitted, and so are all transactions
 * before it: whichever the ledger contains is recognised.
 */
export class Replacing {
  readonly #deps: ReplacingDeps;
  #count = 0;

  constructor(deps: ReplacingDeps) {
    this.#deps = deps;
  }

  /** Number of replacements recorded by this process. */
  get count(): number {
    return this.#count;
  }

  /**
   * Signs and records replacements of these accounts' transactions that a ledger has passed by, or that
   * wait for a place.
   * Returns the transactions to submit.
   */
  async next(
    holds: readonly AccountHold[],
    terms: ReplacingTerms,
  ): Promise<readonly SignedTransaction[]> {
    const { locks, submission, onSignerUnavailable } = this.#deps;
    const { tipIndex } = terms;
    return allSigned(
      holds.map((hold) =>
        hold.signInTurn(
          locks,
          tipIndex,
          () => this.#replace(hold, terms),
          (error) => onSignerUnavailable?.(error, hold.address),
        ),
      ),
      (signed) => submission.send(signed, tipIndex),
    );
  }

  async #replace(hold: AccountHold, terms: ReplacingTerms): Promise<readonly SignedTransaction[]> {
    const { store, fold } = this.#deps;
    const { signer } = hold;
    const streamVersion = hold.fence.versionAt(fold.position);
    if (signer === null || streamVersion === null) return [];
    const drafts = this.#due(hold.address, terms).map((item) => draftOf(item, terms));
    const signed = await signTransactions(drafts, signer);
    if (signed === null) return [];
    const deps = { store, backlog: fold.backlog, position: () => fold.position };
    const { ledgerId } = terms;
    const batch = { ...signed, taken: [], ledgerId, streamVersion };
    const recorded = await recordSigned(deps, hold, batch);
    this.#count += recorded.length;
    return recorded;
  }

  /**
   * The account's transactions to replace: those that wait for a place, and those that were not taken.
   * Servers hold only its lowest Sequences in the queue.
   */
  #due(address: string, { ledgerId, tipIndex, feeDrops }: ReplacingTerms): Outstanding[] {
    const { holds, submission } = this.#deps;
    return [...holds.outstanding(ledgerId).values()]
      .filter(({ signed }) => signed.account === address)
      .sort((a, b) => a.signed.sequence - b.signed.sequence)
      .filter(
        ({ signed: { transactionHash: hash } }, at) =>
          submission.isAhead(hash) || (at < queueLimit && submission.isHeld(hash, tipIndex)),
      )
      .filter(
        ({ signed }) =>
          outbids(feeDrops, signed.feeDrops) && signed.lastLedgerSequence >= tipIndex + ledgersLeft,
      );
  }
}

/** Returns true if a server puts a transaction with this fee in the place of a queued one. */
export function outbids(feeDrops: number, queuedFeeDrops: number): boolean {
  return feeDrops * 100 > queuedFeeDrops * (100 + retrySequencePercent);
}

function draftOf(item: Outstanding, { minLedger, feeDrops }: ReplacingTerms): Draft {
  const { ledgerId, sequence, lastLedgerSequence, transactionHash: replaces } = item.signed;
  const of = item.kind === 'anchor' ? item.of : null;
  return { of, ledgerId, sequence, feeDrops, minLedger, lastLedgerSequence, replaces };
}
