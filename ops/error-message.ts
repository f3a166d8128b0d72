import { Refusal, type RefusalCode } from '../src/domain/refusal.ts';
import { OperatorError } from '../src/errors/operator-error.ts';
import { Transient } from '../src/errors/transient.ts';
import { isConnectionLoss, StoreUnavailable } from '../src/event-store/connection-loss.ts';
import { ProjectionBehind } from '../src/subscriptions/await-position.ts';

const advice: Partial<Record<RefusalCode, string>> = {
  ORGANISATION_NOT_FOUND: '`ops organisation list` shows those there are',
  API_KEY_NOT_FOUND: '`ops key list --organisation ID` shows those there are',
  API_KEY_LIMIT_REACHED:
    'use `ops key revoke KEY`, or allow more keys with `ops organisation limits ID --keys N`',
};

/** What went wrong, for the operator: one or a few lines that say what to do. */
export function errorMessage(error: unknown): string {
  if (error instanceof Refusal) {
    const hint = advice[error.code];
    return hint === undefined ? error.message : `${error.message}: ${hint}`;
  }
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted';
  if (error instanceof ProjectionBehind) {
    return `it is recorded, but not yet visible: ${error.message}; is the service's projector stuck?`;
  }
  const isStore = error instanceof StoreUnavailable;
  // It names what is away, which is not the database.
  if (error instanceof Transient && !isStore) return describe(error);
  const cause = isStore ? error.cause : error;
  if (isStore || isUnreachable(error)) {
    return `the database cannot be reached (${describe(cause)}): is it running, and is DATABASE_URL right?`;
  }
  return describe(error);
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  if (error instanceof Error && error.cause !== undefined && isUnreachable(error.cause))
    return true;
  return isConnectionLoss(error);
}

/** The message with those of its causes; several errors at once are told each. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(describe).join(', ');
  }
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}
