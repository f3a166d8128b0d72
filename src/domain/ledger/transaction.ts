/**
 * A signed transaction on record, before its first byte is sent. `transactionHash` and `blob` are
 * upper-case hex. It can enter ledgers minLedger + 1 … lastLedgerSequence and no other.
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

/**
 * A transaction in a validated ledger. `closeTime` is as the ledger has it, in seconds since
 * 2000-01-01T00:00:00Z; `metadata` and `ledgerHeader` are the ledger's own binary forms in upper-case
 * hex, since no later server may still have them.
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

/** What became of a signed transaction: nothing else can become of it. */
export type Outcome =
  /** It is in a validated ledger with tesSUCCESS. */
  | { readonly outcome: 'anchored'; readonly transaction: ValidatedTransaction }
  /** It is in a validated ledger as a failure (`tec…`). */
  | {
      readonly outcome: 'failed';
      readonly transactionHash: string;
      readonly engineResult: string;
    }
  /** It is definitively not on the ledger, or the ledger is gone. */
  | { readonly outcome: 'absent' | 'ledgerGone'; readonly transactionHash: string };
