import { setTimeout as delay } from 'node:timers/promises';
import { describe } from '../errors/describe.ts';
import { Transient } from '../errors/transient.ts';
import { Unavailable } from '../errors/unavailable.ts';

const callerMessage =
  'the service cannot use its database now; whether the call took effect is not known';

/** The database cannot be used now; the call may or may not have taken effect. Try again. */
export class StoreUnavailable extends Unavailable {
  constructor(options?: ErrorOptions) {
    super('SERVICE_UNAVAILABLE', callerMessage, 'the event store cannot be reached', options);
  }

  /** Returns a `StoreUnavailable` for an error that can pass, and any other error unchanged. */
  static wrap(cause: unknown): unknown {
    return isConnectionLoss(cause) ? new StoreUnavailable({ cause }) : cause;
  }

  override get operatorMessage(): string {
    return unreachableDatabase(this.cause ?? this);
  }
}

/** The database is reached, but does not answer in time. The statement may still take effect. */
export class StoreSilent extends StoreUnavailable {
  constructor(waitedMs: number) {
    super({ cause: new Error(`no answer within ${waitedMs} ms`) });
  }
}

/**
 * The server is a standby that has not replayed every event that this process has seen. Try again.
 */
export class StandbyBehind extends Transient {
  constructor() {
    super('the database is a standby that has not replayed all events yet');
  }

  override get operatorMessage(): string {
    return unreachableDatabase(this);
  }
}

/** Message for an operator whose command cannot use the database. */
export function unreachableDatabase(cause: unknown): string {
  return `the database cannot be reached (${describe(cause)}): check that PostgreSQL runs and that DATABASE_URL is right`;
}

/**
 * Writes until the outcome is known. Repeats a write whose connection was lost, for `retryMs`. The
 * write itself must recognise that an earlier attempt took effect.
 */
export async function writeUntilKnown<Outcome>(
  write: () => Promise<Outcome>,
  retryMs: number,
): Promise<Outcome> {
  const until = performance.now() + retryMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    try {
      return await write();
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      if (performance.now() >= until) throw StoreUnavailable.wrap(error);
      await delay(pauseMs);
    }
  }
}

/**
 * True if the server cannot take the statement now, but may soon. Socket errors and a standby that
 * lags count, and these SQLSTATEs (PostgreSQL documentation, appendix A):
 *
 * - class 08: the connection failed;
 * - 25006: the server is read-only, as a standby before promotion;
 * - 25P03, 25P04, 57P05: the server ended a session or transaction that took too long;
 * - 3D000: the database does not exist, as while it is replaced;
 * - 40001, 40P01: the statement was undone because of another one;
 * - class 53: no disk space, memory or connection is left;
 * - 55P03, 57014: a lock or a statement took longer than the operator permits;
 * - 57P01 to 57P04: the server shuts down, crashed or is starting, or drops the database;
 * - 58030: the server could not read or write a file.
 *
 * The driver's messages that a connection ended or gave no answer in time count too.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StandbyBehind) return true;
  const code = 'code' in error ? String(error.code) : '';
  if (passing.test(code) || socketErrors.has(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|timeout expired|Query read timeout/.test(
    error.message,
  );
}

const passing = /^(08|53)|^(25006|25P0[34]|3D000|40001|40P01|55P03|57014|57P0[1-5]|58030)$/;

const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // No server takes writes (`NoPrimary`).
  'ENOPRIMARY',
]);
