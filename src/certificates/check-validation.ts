import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, check } from '../verifier/check/check.ts';
import { checkHeader } from '../verifier/check/check-header.ts';
import { decodeCanonical } from './decode-canonical.ts';

/** Checks that metadata and ledger header belong to the bundle's transaction and ledger. */
export function checkValidation(bundle: Bundle): Check[] {
  return [checkMetadata(bundle), ...checkHeader(bundle)];
}

interface Metadata {
  readonly TransactionResult?: unknown;
  readonly TransactionIndex?: unknown;
  readonly AffectedNodes?: readonly {
    readonly ModifiedNode?: {
      readonly LedgerEntryType?: unknown;
      readonly FinalFields?: { readonly Account?: unknown; readonly Sequence?: unknown };
      readonly PreviousFields?: { readonly Sequence?: unknown };
    };
  }[];
}

function checkMetadata({ anchor, evidence }: Bundle): Check {
  const reason = () => {
    const metadata: Metadata | null = decodeCanonical(evidence.metadata);
    if (metadata === null) return 'the metadata cannot be decoded';
    const { TransactionResult: result, TransactionIndex: index } = metadata;
    if (result !== 'tesSUCCESS')
      return `the result of the transaction is ${result} instead of tesSUCCESS`;
    if (index !== anchor.transactionIndex) {
      return `the transaction index in the metadata is ${index} instead of the stated ${anchor.transactionIndex}`;
    }
    const sequence = decodeCanonical(evidence.blob)?.Sequence;
    if (sequence === undefined)
      return 'the metadata cannot be compared, because the signed transaction cannot be decoded';
    return isOf(metadata, anchor.account, Number(sequence))
      ? null
      : 'the metadata belongs to another transaction: it does not use this Sequence of the account';
  };
  const detail = `the transaction succeeded (tesSUCCESS), with the stated index ${anchor.transactionIndex} in the ledger`;
  return check('metadata', reason(), detail);
}

/**
 * True if the metadata shows that the account's Sequence rose by one from `sequence`, as by its own
 * transaction. Transactions of others, such as a payment to the account, leave the Sequence
 * unchanged.
 */
function isOf({ AffectedNodes = [] }: Metadata, account: string, sequence: number): boolean {
  return AffectedNodes.some(({ ModifiedNode: node }) => {
    const { Account, Sequence } = node?.FinalFields ?? {};
    const isAccount = node?.LedgerEntryType === 'AccountRoot' && Account === account;
    const before = node?.PreviousFields?.Sequence;
    return isAccount && before === sequence && Sequence === sequence + 1;
  });
}
