import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { connectionTo } from '../../event-store/connection-to.ts';
import { inTime } from '../in-time.ts';
import { loggable } from '../request-log.ts';
import { type Batch, type Owed, takeBatch, verdictsOf, type Waiting } from './batch-calls.ts';
import { type Counted, countCalls, forgetOldCounts } from './count-calls.ts';
import { LimiterTrouble } from './limiter-trouble.ts';
import { countedWithinMs, PlentifulSubjects } from './plentiful-subjects.ts';
import { RefusalMemory } from './refusal-memory.ts';
import type { Limits, RequestLimiter, Verdict } from './request-limiter.ts';

export interface PostgresLimiter extends RequestLimiter {
  close(): Promise<void>;
}

export interface PostgresLimiterOptions {
  readonly log: Logger;
  /** How long a call waits for the database at most. */
  readonly timeoutMs?: number;
  /** For so long after a failure calls are let through without asking. */
  readonly restMs?: number;
  /** How often a failing limiter says so. */
  readonly warnEveryMs?: number;
  readonly forgetEveryMs?: number;
}

/** Microseconds where there is nothing else to do; where there is much, twice as many calls a statement. */
const turnsAwaited = 5;

const defaults = { timeoutMs: 2_000, restMs: 1_000, warnEveryMs: 10_000, forgetEveryMs: 60_000 };

/**
 * Counts in PostgreSQL, on connections of its own, so that it answers also where all others are in
 * use. Calls that come while a statement is under way go out together in the next one. Calls of whom
 * there is plenty left for are let through at once, and counted within `countedWithinMs`.
 */
export function createPostgresLimiter(
  url: string,
  options: PostgresLimiterOptions,
): PostgresLimiter {
  const { log, timeoutMs, restMs, warnEveryMs, forgetEveryMs } = { ...defaults, ...options };
  const pool = openPool(url, timeoutMs);
  const refusals = new RefusalMemory();
  const plentiful = new PlentifulSubjects();
  const trouble = new LimiterTrouble(log, warnEveryMs);
  const owed = new Map<string, Owed>();
  let queue: Waiting[] = [];
  let counting: Promise<void> | null = null;
  let paying: NodeJS.Timeout | null = null;
  let restUntil = 0;

  const tell = ({ asked, waiting }: Batch, counted: ReadonlyMap<string, Counted>, at: number) => {
    for (const { subject, limits } of asked) {
      const found = counted.get(subject);
      if (found === undefined) throw new Error('a subject was not counted');
      const uncounted = owed.get(subject)?.calls ?? 0;
      plentiful.remember(subject, limits, found.windows, { at, uncounted });
      for (const [{ resolve }, verdict] of verdictsOf(waiting.get(subject) ?? [], found)) {
        if (!verdict.allowed) refusals.remember(subject, limits, verdict, at);
        resolve(verdict);
      }
    }
  };

  const letThrough = (error: unknown, { asked, waiting }: Batch) => {
    restUntil = performance.now() + restMs;
    const through = [...[...waiting.values()].flat(), ...queue];
    const uncounted = [...asked.map((each) => each.owed), ...[...owed.values()].map(callsOf)];
    queue = [];
    owed.clear();
    plentiful.clear();
    trouble.met(
      error,
      uncounted.reduce((sum, calls) => sum + calls, through.length),
    );
    for (const { resolve } of through) resolve(null);
  };

  const count = async (batch: Batch): Promise<void> => {
    const sentAt = performance.now();
    try {
      const counted = await inTime(countCalls(pool, batch.asked, timeoutMs), timeoutMs, noAnswer);
      trouble.over();
      tell(batch, counted, sentAt);
    } catch (error) {
      letThrough(error, batch);
    }
  };

  const drain = async () => {
    do {
      // Whoever asks in these turns of the event loop comes along.
      for (let turn = 0; turn < turnsAwaited; turn += 1) await nextTurn();
      if (paying !== null) clearTimeout(paying);
      paying = null;
      const { batch, rest } = takeBatch(queue, owed);
      queue = rest;
      if (batch.asked.length > 0) await count(batch);
    } while (queue.length > 0);
    counting = null;
    if (owed.size > 0) payLater();
  };

  const start = () => {
    counting ??= drain();
  };

  const payLater = () => {
    paying ??= setTimeout(start, countedWithinMs).unref();
  };

  const owe = (subject: string, limits: Limits) => {
    owed.set(subject, { limits, calls: (owed.get(subject)?.calls ?? 0) + 1 });
    if (counting === null) payLater();
  };

  const ask = (subject: string, limits: Limits, calls: 0 | 1): Promise<Verdict | null> => {
    const known = refusals.find(subject, limits);
    if (known !== null) return Promise.resolve(known);
    // While it is in doubt whether the database answers, one statement finds out; nobody else waits.
    if (performance.now() < restUntil || (trouble.lasts && counting !== null)) {
      trouble.passed();
      return Promise.resolve(null);
    }
    const ahead = calls === 0 ? null : plentiful.spend(subject, limits);
    if (ahead !== null) {
      owe(subject, limits);
      return Promise.resolve(ahead);
    }
    return new Promise((resolve) => {
      queue.push({ subject, limits, calls, resolve });
      start();
    });
  };

  const forgetting = setInterval(() => {
    forgetOldCounts(pool).catch((error: unknown) => {
      log.debug({ err: loggable(error) }, 'old counts of requests are forgotten later');
    });
  }, forgetEveryMs).unref();

  return {
    take: (subject, limits) => ask(subject, limits, 1),
    look: (subject, limits) => ask(subject, limits, 0),
    async close() {
      clearInterval(forgetting);
      while (counting !== null || owed.size > 0) {
        start();
        await counting;
      }
      await pool.end();
    },
  };
}

function noAnswer(): Error {
  return new Error('the database did not answer in time');
}

function callsOf({ calls }: Owed): number {
  return calls;
}

/** One to count on; another to forget old counts meanwhile. */
function openPool(url: string, timeoutMs: number): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    max: 2,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
    application_name: 'proofmark limits',
  });
  // One that breaks while it is idle is replaced; the next statement tells.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
