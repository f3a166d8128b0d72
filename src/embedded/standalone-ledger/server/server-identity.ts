import { createHash, randomBytes } from 'node:crypto';

/** A server's description of itself; times in Unix milliseconds. */
export interface ServerIdentity {
  readonly buildVersion: string;
  readonly hostId: string;
  readonly nodeKey: string;
  readonly startedMs: number;
  readonly port: number;
  readonly clock: () => number;
  /** Upper-case hex that differs on every call. */
  readonly random: () => string;
}

export function newIdentity(options: {
  readonly buildVersion: string;
  readonly port: number;
  readonly clock: () => number;
}): ServerIdentity {
  return {
    ...options,
    hostId: 'STANDALONE',
    nodeKey: nodePublicKey(Buffer.concat([Buffer.of(2), randomBytes(32)])),
    startedMs: options.clock(),
    random: () => randomBytes(32).toString('hex').toUpperCase(),
  };
}

const alphabet = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const nodePublicPrefix = 28;

/** A node key in the form that servers show, `n…`: base58 with type prefix and checksum. */
function nodePublicKey(key: Buffer): string {
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const content = Buffer.concat([Buffer.of(nodePublicPrefix), key]);
  const checked = Buffer.concat([content, sha256(sha256(content)).subarray(0, 4)]);
  let rest = BigInt(`0x${checked.toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = `${alphabet[Number(rest % 58n)]}${text}`;
  return text;
}
