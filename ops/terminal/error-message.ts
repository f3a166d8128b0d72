import { Refusal, type RefusalCode } from '../../src/domain/refusal.ts';
import { describe } from '../../src/errors/describe.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { Transient } from '../../src/errors/transient.ts';
import { isConnectionLoss, unreachableDatabase } from '../../src/event-store/connection-loss.ts';
import { isDefect } from './is-defect.ts';

const advice: Partial<Record<RefusalCode, string>> = {
  ORGANISATION_NOT_FOUND: 'run `ops organisation list` to see all organisations',
  API_KEY_NOT_FOUND: 'run `ops key list --organisation ID` to see all keys of an organisation',
  API_KEY_LIMIT_REACHED:
    'use `ops key revoke KEY`, or allow more keys with `ops organisation limits ID --keys N`',
};

/** Message of the error that ended a command. A defect is named as one, with its stack. */
export function failureMessage(error: unknown): string {
  return isDefect(error) ? `${reportDefect}\n${stacks(error)}` : errorMessage(error);
}

const reportDefect = 'this is a defect of the program; report it with the following lines';

/** Error message for the operator: one or a few lines with advice. */
export function errorMessage(error: unknown): string {
  if (error instanceof Refusal) {
    const hint = advice[error.code];
    return hint === undefined ? error.message : `${error.message}: ${hint}`;
  }
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Transient) return error.operatorMessage;
  if (error instanceof Error && error.name === 'AbortError') return 'interrupted';
  return isUnreachable(error) ? unreachableDatabase(error) : describe(error);
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  if (error instanceof Error && error.cause !== undefined && isUnreachable(error.cause))
    return true;
  return isConnectionLoss(error);
}

/** Name, message and stack of an error and of its causes, without the properties of drivers. */
function stacks(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${stacks(error.cause)}`;
}
