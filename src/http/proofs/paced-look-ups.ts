import type { LedgerGateway, LedgerRange, TransactionLookup } from '../../ledger/contract.ts';

/** Limit on the look-ups that one process makes for the public. */
export interface LookUpPace {
  readonly perSecond: number;
  /** Maximum look-ups at once, after a quiet time. */
  readonly burst: number;
}

/**
 * Looks up a transaction; null if there were too many look-ups lately. Rejects as the gateway does.
 */
export type LookUp = (
  gateway: LedgerGateway,
  hash: string,
  range?: LedgerRange,
) => Promise<TransactionLookup> | null;

const defaultPace: LookUpPace = { perSecond: 50, burst: 200 };

/**
 * Limits the look-ups that the public can cause at a ledger's servers, from any number of
 * addresses.
 */
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
