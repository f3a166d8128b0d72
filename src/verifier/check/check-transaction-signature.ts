import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Bundle } from '../bundle/bundle.ts';
import { accountAddress } from '../evidence/base58.ts';
import { verifySignature } from '../evidence/verify-signature.ts';

/**
 * Result of checking the signature of a transaction. `own`: signed with the key of the stated
 * account. `other`: signed with another key, and only the ledger shows that it may sign for the
 * account.
 */
export type SignatureOutcome = 'own' | 'other' | 'invalid';

/** A transaction whose fields were separated. Nothing in it is verified. */
export interface SignedTransaction {
  /** The signed bytes, with the prefix of transactions. */
  readonly message: Uint8Array;
  /** 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

/** Checks who signed a transaction. `account` is the stated one. */
export function signatureOutcome(
  { message, publicKey, signature }: SignedTransaction,
  account: string,
): SignatureOutcome {
  if (!verifySignature(publicKey, [message], signature)) return 'invalid';
  return addressOf(publicKey) === account ? 'own' : 'other';
}

/** Address of the account whose own key this is. */
export function addressOf(publicKey: Uint8Array): string {
  return accountAddress(ripemd160(sha256(publicKey)));
}

/**
 * Checks the signature of a bundle's transaction, in the form of an anchor. `publicKey` has 33 bytes,
 * upper-case hex; null if the transaction has another form.
 */
export function checkTransactionSignature({ anchor, evidence }: Bundle): {
  readonly outcome: SignatureOutcome;
  readonly publicKey: string | null;
} {
  const parts = partsOf(evidence.blob);
  if (parts === null) return { outcome: 'invalid', publicKey: null };
  const { unsigned, publicKey, signature } = parts;
  const transaction = {
    message: concatBytes(utf8ToBytes('STX\0'), hexToBytes(unsigned)),
    publicKey: hexToBytes(publicKey),
    signature: hexToBytes(signature),
  };
  return { outcome: signatureOutcome(transaction, anchor.account), publicKey };
}

/** The head of an anchor in the ledger's order of fields, up to the length of its signature. */
const head = /^(12000324.{8}201B.{8}68.{16}7321(.{66}))74([0-9A-F]{2})/;

/** A signature has at most 72 bytes, so its length takes one byte. */
function partsOf(blob: string) {
  const found = head.exec(blob);
  if (found === null) return null;
  const [whole, before = '', publicKey = '', length = ''] = found;
  const end = whole.length + 2 * Number.parseInt(length, 16);
  if (end > blob.length) return null;
  const signature = blob.slice(whole.length, end);
  return { unsigned: `${before}${blob.slice(end)}`, publicKey, signature };
}
