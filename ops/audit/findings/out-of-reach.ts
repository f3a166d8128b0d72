import { KeyFileError } from '../../../src/embedded/key-file.ts';
import { Transient } from '../../../src/errors/transient.ts';
import { isConnectionLoss } from '../../../src/event-store/connection-loss.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { PublicLogUnavailable } from './public-log-unavailable.ts';

/**
 * True for an error of access to a resource: connection, privilege, capacity. The resource itself
 * was not judged then, and may be correct. Any other error is about the resource itself.
 */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (kinds.some((kind) => error instanceof kind) || isConnectionLoss(error)) return true;
  const code = 'code' in error ? String(error.code) : '';
  if (sqlStates.test(code) || code === 'ERR_SQLITE_ERROR') return true;
  return ('syscall' in error && /^E[A-Z]+$/.test(code)) || isOutOfReach(error.cause);
}

const kinds = [Transient, DatabaseUnavailable, PublicLogUnavailable, KeyFileError] as const;

/**
 * SQLSTATE of PostgreSQL (documentation, appendix A): 42501 missing privilege; 25006 standby or
 * read-only transaction; 25P03 and 25P04 transaction ended by a time-out; 28, 3D and 55000 refused
 * connection; 40001 and 40P01 conflicts; 53 insufficient resources; 55P03 lock not available; 57
 * operator intervention or shutdown.
 */
const sqlStates = /^(42501|25006|25P0[34]|28...|3D...|40001|40P01|53...|55000|55P03|57...)$/;

/** Advice by SQLSTATE for an `isOutOfReach` error; empty if there is none. */
export function adviceFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '42501') return ': grant this privilege to the role of DATABASE_URL';
  if (code === '25006') return ': audit this on the primary database';
  return '';
}
