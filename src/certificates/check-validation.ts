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
    if (metadata === null) return 'it cannot be decoded';
    const { TransactionResult: result, TransactionIndex: index } = metadata;
    if (result !== 'tesSUCCESS') return `the result is ${result}`;
    if (index !== anchor.transactionIndex) {
      return `the transaction is number ${index}, the bundle says ${anchor.transactionIndex}`;
    }
    const sequence = decodeCanonical(evidence.blob)?.Sequence;
    if (sequence === undefined) return 'there is no transaction that it could be of';
    return isOf(metadata, anchor.account, Number(sequence))
      ? null
      : 'it is of another transaction: it does not use up this Sequence of the account';
  };
  const detail = `it says tesSUCCESS, as number ${anchor.transactionIndex} of the ledger`;
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
