import type { LedgerGateway, LedgerRange, TransactionLookup } from '../ledger/contract.ts';

/** What servers of others can be asked for the public, by one process. */
export interface LookUpPace {
  readonly perSecond: number;
  /** So many at once, after a quiet time. */
  readonly burst: number;
}

/** Looks up a transaction; null if too many were looked up lately. Rejects as the gateway does. */
export type LookUp = (
  gateway: LedgerGateway,
  hash: string,
  range?: LedgerRange,
) => Promise<TransactionLookup> | null;

const defaultPace: LookUpPace = { perSecond: 50, burst: 200 };

/** Bounds what anybody can make the service ask of a ledger's servers, however many addresses they have. */
export function createPacedLookUps({ perSecond, burst } = defaultPace): LookUp {
  let left = burst;
  let countedAt = performance.now();
  return (gateway, hash, range) => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
    if (left < 1) return null;
    left -= 1;
    return gateway.lookUp(hash, range);
  };
}
