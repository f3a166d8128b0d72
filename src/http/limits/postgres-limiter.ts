import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { loggable } from '../request-log.ts';
import { type CallsOfSubject, type Counted, countCalls, forgetOldCounts } from './count-calls.ts';
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

const defaults = { timeoutMs: 2_000, restMs: 1_000, warnEveryMs: 10_000, forgetEveryMs: 60_000 };
const maxSubjects = 500;

interface Waiting {
  readonly subject: string;
  readonly limits: Limits;
  readonly calls: 0 | 1;
  readonly resolve: (verdict: Verdict | null) => void;
}

/**
 * Counts in PostgreSQL, on connections of its own, so that it answers also where all others are in
 * use. Calls that come while a statement is under way go out together in the next one.
 */
export function createPostgresLimiter(
  url: string,
  options: PostgresLimiterOptions,
): PostgresLimiter {
  const { log, timeoutMs, restMs, warnEveryMs, forgetEveryMs } = { ...defaults, ...options };
  const pool = openPool(url, timeoutMs);
  const refusals = new RefusalMemory();
  const trouble = new Trouble(log, warnEveryMs);
  let queue: Waiting[] = [];
  let counting = false;
  let restUntil = 0;

  const count = async (batch: ReadonlyMap<string, readonly Waiting[]>): Promise<void> => {
    const sentAt = performance.now();
    try {
      const counted = await inTime(countCalls(pool, askedBy(batch), timeoutMs), timeoutMs);
      trouble.over();
      for (const [subject, waiting] of batch) {
        const found = counted.get(subject);
        if (found === undefined) throw new Error('a subject was not counted');
        for (const [{ limits, resolve }, verdict] of verdictsOf(waiting, found)) {
          if (!verdict.allowed) refusals.remember(subject, limits, verdict, sentAt);
          resolve(verdict);
        }
      }
    } catch (error) {
      restUntil = performance.now() + restMs;
      const through = [...[...batch.values()].flat(), ...queue];
      queue = [];
      trouble.met(error, through.length);
      for (const { resolve } of through) resolve(null);
    }
  };

  const drain = async () => {
    counting = true;
    while (queue.length > 0) {
      // Whoever asks in this turn of the event loop comes along.
      await nextTurn();
      const { batch, rest } = takeBatch(queue);
      queue = rest;
      await count(batch);
    }
    counting = false;
  };

  const ask = (subject: string, limits: Limits, calls: 0 | 1): Promise<Verdict | null> => {
    const known = refusals.find(subject, limits);
    if (known !== null) return Promise.resolve(known);
    // While it is in doubt whether the database answers, one statement finds out; nobody else waits.
    if (performance.now() < restUntil || (trouble.lasts && counting)) {
      trouble.passed();
      return Promise.resolve(null);
    }
    return new Promise((resolve) => {
      queue.push({ subject, limits, calls, resolve });
      if (!counting) void drain();
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
      await pool.end();
    },
  };
}

/** One to count on; another to forget old counts meanwhile. */
function openPool(url: string, timeoutMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
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

/** Rejects when time is up, whatever the database does. */
async function inTime<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not answer in time')), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A subject whose limits were changed meanwhile is counted by the new ones in the next batch. */
function takeBatch(queue: readonly Waiting[]): {
  readonly batch: ReadonlyMap<string, readonly Waiting[]>;
  readonly rest: Waiting[];
} {
  const batch = new Map<string, Waiting[]>();
  const rest: Waiting[] = [];
  for (const waiting of queue) {
    const group = batch.get(waiting.subject);
    const [first] = group ?? [];
    if (first === undefined && batch.size < maxSubjects) batch.set(waiting.subject, [waiting]);
    else if (first !== undefined && isSame(first.limits, waiting.limits)) group?.push(waiting);
    else rest.push(waiting);
  }
  return { batch, rest };
}

function isSame(one: Limits, other: Limits): boolean {
  return one.perMinute === other.perMinute && one.perDay === other.perDay;
}

function askedBy(batch: ReadonlyMap<string, readonly Waiting[]>): readonly CallsOfSubject[] {
  return [...batch].map(([subject, waiting]) => ({
    subject,
    limits: (waiting[0] as Waiting).limits,
    calls: waiting.reduce((sum, { calls }) => sum + calls, 0),
  }));
}

/** Who came first is let through first. */
function verdictsOf(waiting: readonly Waiting[], counted: Counted): [Waiting, Verdict][] {
  let left = counted.granted;
  return waiting.map((one) => {
    const isLook = one.calls === 0;
    const open = counted.windows.every(({ remaining }) => left + remaining > 0);
    const allowed = isLook ? open : left > 0;
    if (!isLook && allowed) left -= 1;
    // Those after it have not counted yet.
    const windows = counted.windows.map((window) => ({
      ...window,
      remaining: window.remaining + left,
    }));
    return [one, { allowed, windows }];
  });
}

/** Says that limits do not hold, now and then, and when they hold again. */
class Trouble {
  readonly #log: Logger;
  readonly #everyMs: number;
  #saidAt = Number.NEGATIVE_INFINITY;
  #passed = 0;
  lasts = false;

  constructor(log: Logger, everyMs: number) {
    this.#log = log;
    this.#everyMs = everyMs;
  }

  met(error: unknown, calls: number): void {
    this.lasts = true;
    this.#passed += calls;
    const now = performance.now();
    if (now - this.#saidAt < this.#everyMs) return;
    this.#saidAt = now;
    const passed = this.#passed;
    this.#log.warn(
      { err: loggable(error), passed },
      'request limits cannot be looked up: calls are let through',
    );
  }

  passed(): void {
    this.#passed += 1;
  }

  over(): void {
    if (!this.lasts) return;
    this.lasts = false;
    const passed = this.#passed;
    this.#passed = 0;
    this.#log.info({ passed }, 'request limits hold again');
  }
}
