/** Sequences of one account that matter for the next transactions to sign. */
interface SequenceView {
  /** Next Sequence that the newest validated ledger would apply. */
  readonly validated: number;
  /** Sequences of signed transactions without a final outcome. */
  readonly outstanding: ReadonlySet<number>;
}

interface SequencePlan {
  /** Sequences for new transactions, ascending: freed ones first, then fresh ones. */
  readonly sequences: readonly number[];
  /** Freed Sequences that no new transaction takes, although outstanding ones depend on them. */
  readonly gaps: readonly number[];
}

/**
 * Allocates Sequences for up to `wanted` transactions. Reuses a Sequence freed by an expiry before
 * a fresh one. A freed Sequence must not stay unused while a later one is outstanding: the later
 * transaction would never be applied (terPRE_SEQ). At most `maxOutstanding` are outstanding
 * afterwards, not counting gaps.
 */
export function planSequences(
  view: SequenceView,
  wanted: number,
  maxOutstanding: number,
): SequencePlan {
  const { validated, outstanding } = view;
  const highest = Math.max(validated - 1, ...outstanding);
  const free: number[] = [];
  for (let sequence = validated; sequence < highest; sequence += 1) {
    if (!outstanding.has(sequence)) free.push(sequence);
  }
  const count = Math.max(0, Math.min(wanted, maxOutstanding - outstanding.size));
  const reused = free.slice(0, count);
  const fresh = Array.from({ length: count - reused.length }, (_, index) => highest + 1 + index);
  return { sequences: [...reused, ...fresh], gaps: free.slice(reused.length) };
}
