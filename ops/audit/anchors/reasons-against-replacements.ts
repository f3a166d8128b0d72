import { isReplacement, type SignedTransaction } from '../../../src/domain/ledger/transaction.ts';

/**
 * Returns the reasons why these transactions do not replace each other in the order of their events.
 * With any reason, several of them could be on the ledger. Events of earlier releases have no
 * `replaces`.
 */
export function reasonsAgainstReplacements(
  signed: readonly (Omit<SignedTransaction, 'blob' | 'replaces'> & {
    readonly replaces?: string | null;
  })[],
): readonly string[] {
  return signed.flatMap((next, index) => {
    const last = signed[index - 1];
    if (last === undefined) return [];
    const [before, after] = [last, next].map((one) => ({ replaces: null, ...one, blob: '' }));
    if (before && after && isReplacement(before, after)) return [];
    return [
      `the transaction ${next.transactionHash} is recorded as a replacement, but its account, Sequence, last ledger or fee does not permit that`,
    ];
  });
}
