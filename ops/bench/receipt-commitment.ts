import { createHmac } from 'node:crypto';
import type { Receipt } from './proof-caller.ts';

/** What must stand on the ledger, by the contract's recipe: HMAC-SHA-256 of the digest, keyed with the nonce. */
export function commitmentOf({ hash, nonce }: Receipt): string {
  return createHmac('sha256', Buffer.from(nonce, 'hex'))
    .update(Buffer.from(hash, 'hex'))
    .digest('hex');
}
