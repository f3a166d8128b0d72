import { hexToBytes } from '@noble/hashes/utils.js';
import { encodeForSigning } from 'ripple-binary-codec';
import { deriveAddress } from 'ripple-keypairs';
import type { LedgerMemo } from '../domain/proof/memo.ts';
import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, check, failed, notChecked, ok } from '../verifier/check/check.ts';
import { checkTransactionHash } from '../verifier/check/check-transaction-hash.ts';
import { verifySignature } from '../verifier/evidence/verify-signature.ts';
import { type Decoded, decodeCanonical } from './decode-canonical.ts';

/** Checks account, memo, signature and hash of the transaction against the bundle. */
export function checkTransaction(bundle: Bundle): Check[] {
  const { anchor, evidence } = bundle;
  const transaction = decodeCanonical(evidence.blob);
  return [
    check(
      'transaction',
      transaction === null
        ? 'the signed transaction cannot be decoded'
        : reasonAgainst(transaction, bundle),
      `the transaction of account ${anchor.account} is an AccountSet that changes no setting and contains exactly this memo`,
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
  if (TransactionType !== 'AccountSet')
    return `the transaction has the type ${TransactionType} instead of AccountSet`;
  if (Account !== anchor.account)
    return `the transaction is from account ${Account} instead of the stated ${anchor.account}`;
  const found = Object.keys(transaction).sort();
  if (found.join() !== members.join())
    return `the transaction has the fields ${found.join()} instead of ${members.join()}`;
  if (JSON.stringify(Memos) !== JSON.stringify([{ Memo: encodedMemo(evidence.memo) }])) {
    return 'the transaction does not contain exactly the stated memo';
  }
  return Number(LastLedgerSequence) >= anchor.ledgerIndex
    ? null
    : `the transaction could not enter a ledger after ${LastLedgerSequence}, but ledger ${anchor.ledgerIndex} is stated`;
}

/** The memo as the codec decodes it: fields in canonical order, in hex. */
function encodedMemo({ type, data, format }: LedgerMemo) {
  const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
  return { MemoType: hex(type), MemoData: hex(data), MemoFormat: hex(format) };
}

function checkSigned(transaction: Decoded | null, account: string): Check[] {
  const key = transaction?.SigningPubKey;
  if (transaction === null || typeof key !== 'string' || !isSigned(transaction)) {
    const why = 'the signature does not match the transaction and its signing key';
    const unknown = 'the key was not checked, because the signature is not valid';
    return [failed('signature', why), notChecked('signing key', unknown)];
  }
  const signed = ok('signature', `the transaction is signed with the key ${key}`);
  const address = deriveAddress(key);
  if (address === account) {
    return [signed, ok('signing key', "the signing key is the account's own key")];
  }
  const why = `the signing key belongs to ${address}. Only the ledger shows whether it may sign for the account: use --ledger`;
  return [signed, notChecked('signing key', why)];
}

function isSigned(transaction: Decoded): boolean {
  const { SigningPubKey, TxnSignature } = transaction;
  try {
    const [key, signature] = [SigningPubKey, TxnSignature].map((hex) => hexToBytes(String(hex)));
    const message = hexToBytes(encodeForSigning(transaction));
    return (
      key !== undefined && signature !== undefined && verifySignature(key, [message], signature)
    );
  } catch {
    return false; // a member is no hexadecimal text
  }
}
