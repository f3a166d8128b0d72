import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

/** A validator's public key as the ledger writes it: `n…` (xrpl.org, "Base58 Encodings"). */
export function nodeKey(publicKey: Uint8Array): string {
  const bytes = concatBytes(Uint8Array.of(nodePublic), publicKey);
  const whole = concatBytes(bytes, sha256(sha256(bytes)).subarray(0, 4));
  let text = '';
  // The first byte is not zero, so no leading digits are lost.
  for (let left = numberOf(whole); left > 0n; left /= 58n) text = digits[Number(left % 58n)] + text;
  return text;
}

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => 256n * sum + BigInt(byte), 0n);
}

const nodePublic = 0x1c;
const digits = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
