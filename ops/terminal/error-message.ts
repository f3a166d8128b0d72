import { Refusal, type RefusalCode } from '../../src/domain/refusal.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { Transient } from '../../src/errors/transient.ts';
import { isConnectionLoss, StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { ProjectionBehind } from '../../src/subscriptions/await-position.ts';

const advice: Partial<Record<RefusalCode, string>> = {
  ORGANISATION_NOT_FOUND: 'run `ops organisation list` to see all organisations',
  API_KEY_NOT_FOUND: 'run `ops key list --organisation ID` to see all keys of an organisation',
  API_KEY_LIMIT_REACHED:
    'use `ops key revoke KEY`, or allow more keys with `ops organisation limits ID --keys N`',
};

/** Error message for the operator: one or a few lines with advice. */
export function errorMessage(error: unknown): string {
  if (error instanceof Refusal) {
    const hint = advice[error.code];
    return hint === undefined ? error.message : `${error.message}: ${hint}`;
  }
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted';
  if (error instanceof ProjectionBehind) {
    return `the change is recorded, but not yet visible in lists (${error.message}): check that a process with the role projector runs`;
  }
  const isStore = error instanceof StoreUnavailable;
  // The message names the unavailable resource, which is not the database.
  if (error instanceof Transient && !isStore) return describe(error);
  const cause = isStore ? error.cause : error;
  if (isStore || isUnreachable(error)) {
    return `the database cannot be reached (${describe(cause)}): check that PostgreSQL runs and that DATABASE_URL is right`;
  }
  return describe(error);
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  if (error instanceof Error && error.cause !== undefined && isUnreachable(error.cause))
    return true;
  return isConnectionLoss(error);
}

/** The message with those of its causes; several simultaneous errors are all listed. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(describe).join(', ');
  }
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}
