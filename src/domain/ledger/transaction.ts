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
] as const satisfies readonly (keyof SignedTransaction)[];

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
