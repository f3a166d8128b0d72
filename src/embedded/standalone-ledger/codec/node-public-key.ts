import { createHash } from 'node:crypto';

const alphabet = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const nodePublicPrefix = 28;

/**
 * A key of a server or validator in the form that servers show, `n…`: base58 with type prefix and
 * checksum. The key has 33 bytes.
 */
export function nodePublicKey(key: Buffer): string {
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const content = Buffer.concat([Buffer.of(nodePublicPrefix), key]);
  const checked = Buffer.concat([content, sha256(sha256(content)).subarray(0, 4)]);
  let rest = BigInt(`0x${checked.toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = `${alphabet[Number(rest % 58n)]}${text}`;
  return text;
}
