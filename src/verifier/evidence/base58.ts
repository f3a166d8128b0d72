import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

/** A validator's public key as the ledger writes it: `n…` (xrpl.org, "Base58 Encodings"). */
export function nodeKey(publicKey: Uint8Array): string {
  return base58Check(0x1c, publicKey);
}

/** An account's address, `r…`, from its 20 bytes. */
export function accountAddress(account: Uint8Array): string {
  return base58Check(0, account);
}

function base58Check(prefix: number, payload: Uint8Array): string {
  const bytes = concatBytes(Uint8Array.of(prefix), payload);
  const whole = concatBytes(bytes, sha256(sha256(bytes)).subarray(0, 4));
  let text = '';
  for (let left = numberOf(whole); left > 0n; left /= 58n) text = digits[Number(left % 58n)] + text;
  const zeros = whole.findIndex((byte) => byte !== 0);
  return 'r'.repeat(zeros) + text;
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => 256n * sum + BigInt(byte), 0n);
}

const digits = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
