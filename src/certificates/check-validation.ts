import { closeTimeIso } from '../domain/ledger/close-time.ts';
import type { Bundle } from './bundle.ts';
import { type Check, check } from './check.ts';
import { decodeCanonical } from './decode-canonical.ts';
import { ledgerHash } from './ledger-hash.ts';

/** Whether metadata and ledger header are those of the ledger that the bundle names. */
export function checkValidation(bundle: Bundle): Check[] {
  return [checkMetadata(bundle), checkHeader(bundle), checkCloseTime(bundle)];
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
 * A transaction raises the Sequence of its account by one, and its metadata shows both. Others that touch
 * the account, as a payment to it does, show it as it is.
 */
function isOf({ AffectedNodes = [] }: Metadata, account: string, sequence: number): boolean {
  return AffectedNodes.some(({ ModifiedNode: node }) => {
    const { Account, Sequence } = node?.FinalFields ?? {};
    const isAccount = node?.LedgerEntryType === 'AccountRoot' && Account === account;
    const before = node?.PreviousFields?.Sequence;
    return isAccount && before === sequence && Sequence === sequence + 1;
  });
}

/** Bytes of a header (rippled, LedgerHeader.cpp): the index comes first, the close time at 112. */
const headerBytes = 118;
const closeTimeAt = 112;

function checkHeader({ anchor, evidence: { ledgerHeader } }: Bundle): Check {
  const header = Buffer.from(ledgerHeader, 'hex');
  const hash = ledgerHash('ledger', ledgerHeader);
  const reason = () => {
    if (header.length !== headerBytes) return `it has ${header.length} bytes, not ${headerBytes}`;
    if (hash !== anchor.ledgerHash) {
      return `its hash is ${hash}, the bundle says ${anchor.ledgerHash}`;
    }
    const index = header.readUInt32BE(0);
    return index === anchor.ledgerIndex
      ? null
      : `it is of ledger ${index}, the bundle says ${anchor.ledgerIndex}`;
  };
  return check(
    'ledger header',
    reason(),
    `it is of ledger ${anchor.ledgerIndex}, with hash ${hash}`,
  );
}

function checkCloseTime({ anchor, evidence }: Bundle): Check {
  const header = Buffer.from(evidence.ledgerHeader, 'hex');
  const reason = () => {
    const stated = closeTimeIso(anchor.closeTime);
    if (stated !== anchor.closeTimeIso) {
      return `${anchor.closeTime} is ${stated}, the bundle says ${anchor.closeTimeIso}`;
    }
    if (header.length !== headerBytes) return 'there is no ledger header to compare with';
    const closeTime = header.readUInt32BE(closeTimeAt);
    return closeTime === anchor.closeTime
      ? null
      : `the ledger header says ${closeTimeIso(closeTime)}, the bundle says ${stated}`;
  };
  return check(
    'close time',
    reason(),
    `the header says ${anchor.closeTimeIso} (ledger close times are rounded)`,
  );
}
