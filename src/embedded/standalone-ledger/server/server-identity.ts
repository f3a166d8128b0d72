import { randomBytes } from 'node:crypto';
import { nodePublicKey } from '../codec/node-public-key.ts';

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
