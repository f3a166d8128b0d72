/**
 * A signed transaction, recorded before its first byte is sent. `transactionHash` and `blob` are
 * upper-case hex. Only ledgers minLedger + 1 … lastLedgerSequence can include it.
 */
export interface SignedTransaction {
  readonly ledgerId: string;
  readonly transactionHash: string;
  readonly blob: string;
  readonly account: string;
  readonly sequence: number;
  readonly feeDrops: number;
  readonly minLedger: number;
  readonly lastLedgerSequence: number;
  /**
   * Hash of the transaction with the same Sequence that this one replaces by a higher fee; null if
   * it replaces none. A validated ledger can contain at most one of them.
   */
  readonly replaces: string | null;
}

/** All fields of a signed transaction, apart from the blob that contains its memo. */
export const signedFacts = [
  'ledgerId',
  'transactionHash',
  'account',
  'sequence',
  'feeDrops',
  'minLedger',
  'lastLedgerSequence',
  'replaces',
] as const satisfies readonly (keyof SignedTransaction)[];

/** Upcast of a signed transaction from before there were replacements. */
export function withoutReplacement<Data extends object>(data: Data): Data & { replaces: null } {
  return { ...data, replaces: null };
}

/** Downcast to the schema before there were replacements; null if it replaces a transaction. */
export function beforeReplacements({ replaces, ...data }: SignedTransaction): object | null {
  return replaces === null ? data : null;
}

/** An outstanding transaction, and those that it has replaced: any of them may be on the ledger. */
export interface WithReplaced<Signed extends SignedTransaction = SignedTransaction> {
  /** The newest. */
  readonly prepared: Signed;
  /** The earlier ones with the same Sequence, the oldest first. */
  readonly replaced: readonly Signed[];
}

/** Finds the one with this hash; undefined if none has it. */
export function signedAs<Signed extends SignedTransaction>(
  { prepared, replaced }: WithReplaced<Signed>,
  transactionHash: string,
): Signed | undefined {
  return [prepared, ...replaced].find((signed) => signed.transactionHash === transactionHash);
}

/** True if `next` replaces `last`: only the fee, and the first ledger that it can be in, differ. */
export function isReplacement(last: SignedTransaction, next: SignedTransaction): boolean {
  return (
    next.replaces === last.transactionHash &&
    next.ledgerId === last.ledgerId &&
    next.account === last.account &&
    next.sequence === last.sequence &&
    next.lastLedgerSequence === last.lastLedgerSequence &&
    next.feeDrops > last.feeDrops
  );
}

/**
 * A transaction in a validated ledger. `closeTime` is the ledger's own value, in seconds since
 * 2000-01-01T00:00:00Z. `metadata` and `ledgerHeader` are the ledger's own binary forms in
 * upper-case hex. They are kept because later servers may no longer have them.
 */
export interface ValidatedTransaction {
  readonly ledgerId: string;
  readonly transactionHash: string;
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
  readonly closeTime: number;
  readonly closeTimeIso: string;
  readonly transactionIndex: number;
  readonly metadata: string;
  readonly ledgerHeader: string;
}

/** All fields of a validated transaction. */
export const validatedFacts = [
  'ledgerId',
  'transactionHash',
  'ledgerIndex',
  'ledgerHash',
  'closeTime',
  'closeTimeIso',
  'transactionIndex',
  'metadata',
  'ledgerHeader',
] as const satisfies readonly (keyof ValidatedTransaction)[];

/** Final outcome of a signed transaction. */
export type TransactionOutcome =
  /** Included in a validated ledger with tesSUCCESS. */
  | { readonly outcome: 'anchored'; readonly transaction: ValidatedTransaction }
  /** Included in a validated ledger as a failure (`tec…`). */
  | {
      readonly outcome: 'failed';
      readonly transactionHash: string;
      readonly engineResult: string;
    }
  /** Definitively not on the ledger, or the ledger is gone. */
  | { readonly outcome: 'absent' | 'ledgerGone'; readonly transactionHash: string };
