import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerGateway, LedgerRange, TransactionLookup } from '../ledger/contract.ts';
import { loggable } from './request-log.ts';
import type { RouteDeps } from './route-deps.ts';

/** What a network says of a transaction; `unanswered` if it was not asked, or said nothing in time. */
export type LedgerAnswer = TransactionLookup | { readonly found: 'unanswered' };

const unanswered = { found: 'unanswered' } as const;

/**
 * Asks one network, for `timeoutMs` at most, unless it was asked too much lately. Never rejects: the
 * trouble is logged.
 */
export async function lookUpTransaction(
  { log, lookUp }: Pick<RouteDeps, 'log' | 'lookUp'>,
  gateway: LedgerGateway,
  hash: string,
  options: { readonly timeoutMs: number; readonly range?: LedgerRange },
): Promise<LedgerAnswer> {
  const { timeoutMs, range } = options;
  const over = new AbortController();
  const ask = async () => {
    try {
      return (await lookUp(gateway, hash, range)) ?? unanswered;
    } catch (error) {
      log.warn({ network: gateway.network, err: loggable(error) }, 'a network did not answer');
      return unanswered;
    }
  };
  const wait = delay(timeoutMs, unanswered, { signal: over.signal }).catch(() => unanswered);
  try {
    return await Promise.race([ask(), wait]);
  } finally {
    over.abort();
  }
}
