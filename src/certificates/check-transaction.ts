import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeForSigning } from 'ripple-binary-codec';
import type { LedgerMemo } from '../domain/proof/memo.ts';
import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, check, failed, notChecked, ok } from '../verifier/check/check.ts';
import { checkTransactionHash } from '../verifier/check/check-transaction-hash.ts';
import {
  addressOf,
  type SignedTransaction,
  signatureOutcome,
} from '../verifier/check/check-transaction-signature.ts';
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
  const hex = (text: string) => bytesToHex(utf8ToBytes(text)).toUpperCase();
  return { MemoType: hex(type), MemoData: hex(data), MemoFormat: hex(format) };
}

function checkSigned(transaction: Decoded | null, account: string): Check[] {
  const signed = transaction && signedPart(transaction);
  const outcome = signed === null ? 'invalid' : signatureOutcome(signed, account);
  if (signed === null || outcome === 'invalid') {
    const why = 'the signature does not match the transaction and its signing key';
    const unknown = 'the key was not checked, because the signature is not valid';
    return [failed('signature', why), notChecked('signing key', unknown)];
  }
  const key = bytesToHex(signed.publicKey).toUpperCase();
  const found = ok('signature', `the transaction is signed with the key ${key}`);
  if (outcome === 'own') {
    return [found, ok('signing key', "the signing key is the account's own key")];
  }
  const why = `the signing key belongs to ${addressOf(signed.publicKey)}. Only the ledger shows whether it may sign for the account: use --ledger`;
  return [found, notChecked('signing key', why)];
}

/** Any transaction, also one that is no anchor: another check names its form. Null for a malformed one. */
function signedPart(transaction: Decoded): SignedTransaction | null {
  const { SigningPubKey, TxnSignature } = transaction;
  try {
    return {
      message: hexToBytes(encodeForSigning(transaction)),
      publicKey: hexToBytes(String(SigningPubKey)),
      signature: hexToBytes(String(TxnSignature)),
    };
  } catch {
    return null; // a member is no hexadecimal text
  }
}
