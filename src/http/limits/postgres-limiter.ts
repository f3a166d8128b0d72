import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { loggable } from '../../errors/loggable.ts';
import { connectionTo } from '../../event-store/connection-to.ts';
import { inTime } from '../in-time.ts';
import { type Batch, takeBatch, type Waiting } from './batch-calls.ts';
import { countCalls, forgetOldCounts, giveBackAmounts } from './count-calls.ts';
import { judgeCalls } from './judge-calls.ts';
import { LimiterTrouble } from './limiter-trouble.ts';
import { noLimit, windowsOf } from './quota.ts';
import { RefusalMemory } from './refusal-memory.ts';
import { type CallVerdict, chargeOf, type RequestLimiter } from './request-limiter.ts';

interface PostgresLimiter extends RequestLimiter {
  close(): Promise<void>;
}

interface PostgresLimiterOptions {
  readonly log: Logger;
  /** Maximum wait of a call for the database. */
  readonly timeoutMs?: number;
  /** Time after a failure in which calls are let through without a query. */
  readonly restMs?: number;
  /** Minimum interval between warnings. */
  readonly warnEveryMs?: number;
  readonly forgetEveryMs?: number;
}

/**
 * Turns of the event loop to wait before a statement. The turns take microseconds when idle, and
 * double the calls per statement under load.
 */
const turnsAwaited = 5;

const defaults = { timeoutMs: 2_000, restMs: 1_000, warnEveryMs: 10_000, forgetEveryMs: 60_000 };

/**
 * Counts calls in PostgreSQL, on connections of its own, so that it works when all others are in
 * use. Calls that arrive during a statement are counted together by the next one.
 */
export function createPostgresLimiter(
  url: string,
  options: PostgresLimiterOptions,
): PostgresLimiter {
  const { log, timeoutMs, restMs, warnEveryMs, forgetEveryMs } = { ...defaults, ...options };
  const pool = openPool(url, timeoutMs);
  const refusals = new RefusalMemory();
  const trouble = new LimiterTrouble(log, warnEveryMs);
  let queue: Waiting[] = [];
  let counting: Promise<void> | null = null;
  let restUntil = 0;

  const answer = (batch: Batch, verdicts: readonly CallVerdict[], sentAt: number) => {
    for (const [n, verdict] of verdicts.entries()) {
      const { waiting } = batch.calls[n] ?? {};
      if (waiting === undefined) continue;
      const { quotas, weight, resolve } = waiting;
      if (!verdict.allowed && !weight.paid) refusals.remember(quotas, weight.cost, verdict, sentAt);
      resolve(verdict);
    }
  };

  const acceptAll = (error: unknown, batch: Batch) => {
    restUntil = performance.now() + restMs;
    const accepted = [...batch.calls.map(({ waiting }) => waiting), ...queue];
    queue = [];
    trouble.failed(error, accepted.length);
    for (const { resolve } of accepted) resolve(null);
  };

  const count = async (batch: Batch): Promise<void> => {
    const sentAt = performance.now();
    try {
      const counted = await inTime(countCalls(pool, batch, timeoutMs), timeoutMs, noAnswer);
      const verdicts = judgeCalls(batch, counted);
      trouble.ended();
      answer(batch, verdicts, sentAt);
    } catch (error) {
      acceptAll(error, batch);
    }
  };

  const drain = async () => {
    do {
      // Calls that arrive in these turns of the event loop are counted by the same statement.
      for (let turn = 0; turn < turnsAwaited; turn += 1) await nextTurn();
      const { batch, rest } = takeBatch(queue);
      queue = rest;
      await count(batch);
    } while (queue.length > 0);
    counting = null;
  };

  const ask = (asked: Omit<Waiting, 'resolve'>): Promise<CallVerdict | null> => {
    const { quotas, weight } = asked;
    const known = weight.paid ? null : refusals.find(quotas, weight.cost);
    if (known !== null) return Promise.resolve(known);
    // After a failure, one statement tests the database; other calls do not wait.
    if (performance.now() < restUntil || (trouble.isOngoing && counting !== null)) {
      trouble.accepted();
      return Promise.resolve(null);
    }
    return new Promise((resolve) => {
      queue.push({ ...asked, resolve });
      counting ??= drain();
    });
  };

  /** One statement at a time, so that counting never waits for several. */
  let givingBack: Promise<void> = Promise.resolve();

  const look = (quotas: Waiting['quotas']) => ask({ quotas, weight: one, isLook: true });

  const giveBack: RequestLimiter['giveBack'] = async (quotas, counted, part) => {
    const days = quotas.flatMap((quota) => {
      const { subject, limits } = quota;
      const amount = chargeOf(part, limits.perDay ?? noLimit);
      const names = windowsOf(quota).flatMap(({ name, unit }) => (unit === 'day' ? [name] : []));
      const day = counted.windows.find(({ name }) => names.includes(name));
      return day === undefined ? [] : [{ subject, amount, leftMs: day.leftMs }];
    });
    try {
      const given = givingBack.then(() => giveBackAmounts(pool, days, timeoutMs));
      givingBack = given.catch(() => {});
      await inTime(given, timeoutMs, noAnswer);
    } catch (error) {
      log.debug({ err: loggable(error) }, 'counts of refused items could not be given back');
      return null;
    }
    refusals.forget(quotas);
    return look(quotas);
  };

  const forgetting = setInterval(() => {
    forgetOldCounts(pool).catch((error: unknown) => {
      log.debug(
        { err: loggable(error) },
        'old request counts could not be deleted; retrying later',
      );
    });
  }, forgetEveryMs).unref();

  return {
    take: (quotas, weight = one) => ask({ quotas, weight, isLook: false }),
    look,
    giveBack,
    async close() {
      clearInterval(forgetting);
      await counting;
      await pool.end();
    },
  };
}

const one = { cost: 1 } as const;

function noAnswer(): Error {
  return new Error('the database did not answer in time');
}

/** One connection counts calls; the other deletes old counts. */
function openPool(url: string, timeoutMs: number): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url, { statement_timeout: String(timeoutMs) }),
    max: 2,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    application_name: 'proofmark limits',
  });
  // A connection that breaks while idle is replaced. The next statement reports a lasting failure.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
