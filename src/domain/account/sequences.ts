/** The Sequences of one account, as far as they matter for what is signed next. */
export interface SequenceView {
  /** The Sequence that the newest validated ledger would apply next. */
  readonly validated: number;
  /** Those of signed transactions whose fate is open. */
  readonly outstanding: ReadonlySet<number>;
}

export interface SequencePlan {
  /** For new transactions, ascending: freed ones first, then fresh ones. */
  readonly sequences: readonly number[];
  /** Freed ones that no new transaction takes, though outstanding ones hang on them. */
  readonly gaps: readonly number[];
}

/**
 * Gives out Sequences for up to `wanted` transactions. A Sequence freed by an expiry is used again
 * before a fresh one, and must not stay empty while a later one is outstanding: that would never
 * be applied (terPRE_SEQ). At most `maxOutstanding` are outstanding afterwards, gaps not counted.
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
