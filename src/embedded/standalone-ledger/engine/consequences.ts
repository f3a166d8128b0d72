import type { Transaction } from '../codec/parse-transaction.ts';

/** asfRequireAuth, asfDisableMaster, asfAccountTxnID: flags that affect later transactions. */
const blockingFlags = new Set<unknown>([2, 4, 5]);
const authorizationFlags = 0x00040000 | 0x00080000;

/** A blocker may invalidate the account's later transactions, so it is never queued with them. */
export function isBlocker({ type, json, flags }: Transaction): boolean {
  if (type === 'SetRegularKey') return true;
  if (type !== 'AccountSet') return false;
  const changesAuthorization = (flags & authorizationFlags) !== 0;
  return (
    changesAuthorization || blockingFlags.has(json.SetFlag) || blockingFlags.has(json.ClearFlag)
  );
}

/** Drops that the transaction may spend besides its fee. */
export function potentialSpend({ type, json }: Transaction): bigint {
  return type === 'Payment' ? BigInt(String(json.Amount)) : 0n;
}

/** The account's Sequence after this transaction, which uses a Sequence. */
export function followingSequence({ type, json, sequence }: Transaction): number {
  return sequence + 1 + (type === 'TicketCreate' ? Number(json.TicketCount) : 0);
}
