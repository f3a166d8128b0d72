import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { loggable } from '../../errors/loggable.ts';
import type { LedgerGateway, LedgerRange, TransactionLookup } from '../../ledger/contract.ts';
import type { LookUp } from './paced-look-ups.ts';

/**
 * Answer of a network about a transaction; `unanswered` if not asked, on errors, or without a
 * timely answer.
 */
export type LedgerAnswer = TransactionLookup | { readonly found: 'unanswered' };

const unanswered = { found: 'unanswered' } as const;

/** Dependencies of asking a network about a transaction. */
export interface LookUpDeps {
  readonly lookUp: LookUp;
  readonly log: Logger;
}

/**
 * Asks one network for at most `timeoutMs`, unless the limit on look-ups is reached. Never rejects;
 * logs errors.
 */
export async function lookUpTransaction(
  { log, lookUp }: LookUpDeps,
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
      log.warn(
        { network: gateway.network, err: loggable(error) },
        'ledger network did not answer a transaction look-up',
      );
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
