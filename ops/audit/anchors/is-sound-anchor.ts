import { decodeAccountID } from 'ripple-address-codec';
import { closeTimeIso } from '../../../src/domain/ledger/close-time.ts';
import { hashOfTransaction, sha512Half } from '../../../src/ledger/sha512-half.ts';
import type { AnchoredClaim } from './anchored-claim.ts';
import { hasFields, takeApart } from './blob-parts.ts';
import { readOwnMetadata } from './own-metadata.ts';

const headerForm = /^[0-9A-F]{236}$/;
const closeTimeAt = 112;

/**
 * True if the evidence certainly agrees with the signed transaction: `reasonsAgainst` finds nothing
 * without a ledger. It compares bytes with those that the events lead to, and decodes nothing.
 * False: `reasonsAgainst` must decide. A test compares both.
 */
export function isSoundAnchor(claim: AnchoredClaim): boolean {
  try {
    return isSound(claim);
  } catch {
    return false; // a value of another type
  }
}

function isSound({ sent, anchor, memo, isSigned }: AnchoredClaim): boolean {
  const { blob } = sent;
  if (blob === undefined || sent.transactionHash !== anchor.transactionHash) return false;
  if (anchor.ledgerId !== sent.ledgerId || !(sent.lastLedgerSequence >= anchor.ledgerIndex)) {
    return false;
  }
  const parts = takeApart(blob);
  return (
    parts !== null &&
    hasFields(parts, sent, memo(blob)) &&
    hashOfTransaction(Buffer.from(blob, 'hex')) === anchor.transactionHash &&
    usesSequence(anchor.metadata, anchor.transactionIndex, sent) &&
    isHeader(anchor) &&
    isSigned(blob)
  );
}

function usesSequence(
  hex: string,
  transactionIndex: number,
  { account, sequence }: AnchoredClaim['sent'],
): boolean {
  const metadata = readOwnMetadata(hex);
  if (metadata === null || metadata.transactionIndex !== transactionIndex) return false;
  const id = Buffer.from(decodeAccountID(account)).toString('hex').toUpperCase();
  return metadata.used.some(
    (one) => one.account === id && one.before === sequence && one.after === sequence + 1,
  );
}

function isHeader(anchor: AnchoredClaim['anchor']): boolean {
  const { ledgerHeader, ledgerHash, ledgerIndex, closeTime } = anchor;
  if (!headerForm.test(ledgerHeader) || closeTimeIso(closeTime) !== anchor.closeTimeIso)
    return false;
  const bytes = Buffer.from(ledgerHeader, 'hex');
  return (
    sha512Half('ledger', bytes).toString('hex').toUpperCase() === ledgerHash &&
    bytes.readUInt32BE(0) === ledgerIndex &&
    bytes.readUInt32BE(closeTimeAt) === closeTime
  );
}
