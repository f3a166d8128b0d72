/** One hand-over of a transaction to the server. */
export interface Submission {
  /** Newest ledger that the service knew from the server's notices at this submission. */
  readonly atLedger: number;
  /** Null if no answer came. */
  answer: { readonly result: string; readonly validatedLedger: number } | null;
}

/** How often each transaction was handed over, and how often without need. */
export interface SubmissionCounts {
  readonly transactions: number;
  readonly submissions: number;
  /** Transactions by the number of their submissions. */
  readonly perTransaction: Readonly<Record<string, number>>;
  /** Submissions by their result; `none` if no answer came. */
  readonly results: Readonly<Record<string, number>>;
  /** Submissions of a transaction that is in a validated ledger of which the service knew. */
  readonly afterValidation: number;
  /** Submissions less than two ledgers after an answer that the server has the transaction. */
  readonly withinTwoLedgers: number;
}

/** Results after which the server has the transaction: in its open ledger, its queue, or held. */
const hasIt = /^(tes|tec|ter|tefALREADY)/;

/**
 * Counts submissions, in the order of their times for each transaction.
 * @param ledgerOf the validated ledger of each transaction that is in one
 */
export function countSubmissions(
  submitted: ReadonlyMap<string, readonly Submission[]>,
  ledgerOf: ReadonlyMap<string, number>,
): SubmissionCounts {
  const perTransaction = new Map<string, number>();
  const results = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string) =>
    counts.set(key, (counts.get(key) ?? 0) + 1);
  let [submissions, afterValidation, withinTwoLedgers] = [0, 0, 0];
  for (const [hash, all] of submitted) {
    const validatedAt = ledgerOf.get(hash) ?? Number.POSITIVE_INFINITY;
    let hadItAt = Number.NEGATIVE_INFINITY;
    for (const { atLedger, answer } of all) {
      if (atLedger >= validatedAt) afterValidation += 1;
      if (atLedger < hadItAt + 2) withinTwoLedgers += 1;
      if (answer !== null && hasIt.test(answer.result)) hadItAt = answer.validatedLedger;
      add(results, answer?.result ?? 'none');
    }
    submissions += all.length;
    add(perTransaction, String(all.length));
  }
  return {
    transactions: submitted.size,
    submissions,
    perTransaction: Object.fromEntries(perTransaction),
    results: Object.fromEntries(results),
    afterValidation,
    withinTwoLedgers,
  };
}
