import { encodeForSigning } from 'ripple-binary-codec';
import { deriveAddress, verify } from 'ripple-keypairs';
import type { LedgerMemo } from '../domain/proof/memo.ts';
import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, check, failed, notChecked, ok } from '../verifier/check/check.ts';
import { checkTransactionHash } from '../verifier/check/check-transaction-hash.ts';
import { type Decoded, decodeCanonical } from './decode-canonical.ts';

/** Checks account, memo, signature and hash of the transaction against the bundle. */
export function checkTransaction(bundle: Bundle): Check[] {
  const { anchor, evidence } = bundle;
  const transaction = decodeCanonical(evidence.blob);
  return [
    check(
      'transaction',
      transaction === null ? 'it cannot be decoded' : reasonAgainst(transaction, bundle),
      `it is an AccountSet of ${anchor.account}, sets nothing and holds that memo`,
    ),
    ...checkSigned(transaction, anchor.account),
    checkTransactionHash(bundle),
  ];
}

/** All members of an AccountSet that only carries a memo. */
const members = [
  'Account',
  'Fee',
  'LastLedgerSequence',
  'Memos',
  'Sequence',
  'SigningPubKey',
  'TransactionType',
  'TxnSignature',
];

function reasonAgainst(transaction: Decoded, { anchor, evidence }: Bundle): string | null {
  const { Account, LastLedgerSequence, Memos, TransactionType } = transaction;
  if (TransactionType !== 'AccountSet') return `it is of type ${TransactionType}, not AccountSet`;
  if (Account !== anchor.account) return `it is of account ${Account}, not ${anchor.account}`;
  const found = Object.keys(transaction).sort();
  if (found.join() !== members.join()) return `its members are ${found.join()}`;
  if (JSON.stringify(Memos) !== JSON.stringify([{ Memo: encodedMemo(evidence.memo) }])) {
    return 'it does not hold exactly the memo of the bundle';
  }
  return Number(LastLedgerSequence) >= anchor.ledgerIndex
    ? null
    : `it could not enter a ledger after ${LastLedgerSequence}, the bundle says ${anchor.ledgerIndex}`;
}

/** The memo as the codec decodes it: fields in canonical order, in hex. */
function encodedMemo({ type, data, format }: LedgerMemo) {
  const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
  return { MemoType: hex(type), MemoData: hex(data), MemoFormat: hex(format) };
}

function checkSigned(transaction: Decoded | null, account: string): Check[] {
  const key = transaction?.SigningPubKey;
  if (transaction === null || typeof key !== 'string' || !isSigned(transaction)) {
    const why = 'it is not signed by the key that it names';
    return [failed('signature', why), notChecked('signing key', 'there is no valid signature')];
  }
  const signed = ok('signature', `it is signed by the key ${key}`);
  const address = deriveAddress(key);
  if (address === account) {
    return [signed, ok('signing key', "it is the account's own")];
  }
  const why = `it is not the account's own but that of ${address}: only the ledger tells that it may sign`;
  return [signed, notChecked('signing key', why)];
}

function isSigned(transaction: Decoded): boolean {
  const { SigningPubKey, TxnSignature } = transaction;
  try {
    return verify(encodeForSigning(transaction), String(TxnSignature), String(SigningPubKey));
  } catch {
    return false; // the key or the signature is malformed, or no point of the curve
  }
}
