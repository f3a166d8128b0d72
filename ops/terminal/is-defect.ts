import { isConnectionLoss } from '../../src/event-store/connection-loss.ts';

/**
 * True for an error that only a mistake in the program explains, such as a `TypeError`. None are
 * errors with a class of their own, errors of the environment, and errors about damaged data.
 */
export function isDefect(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const { name } = error.constructor;
  if (!builtIn.has(name) || error.name !== name || isConnectionLoss(error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDefect);
  // The message of a wrapped error is for the operator, unless its cause is a mistake.
  if ('cause' in error) return isMistake(error.cause);
  if (name === 'Error') return !('code' in error) && !isOfLibrary(error);
  if (name === 'SyntaxError' && placeOf(error).startsWith('at JSON.parse')) return false;
  return error.message !== fetchFailed && (!('code' in error) || /^ERR_/.test(String(error.code)));
}

const builtIn = new Set([
  ...['Error', 'AggregateError', 'AssertionError', 'EvalError', 'RangeError', 'ReferenceError'],
  ...['SyntaxError', 'TypeError', 'URIError'],
]);

/** The `TypeError` of `fetch` for a server that cannot be asked. */
const fetchFailed = 'fetch failed';

function isMistake(cause: unknown): boolean {
  return cause instanceof Error && cause.name !== 'Error' && isDefect(cause);
}

/** Libraries throw a plain `Error` about their surroundings: pg for a server without TLS. */
function isOfLibrary(error: Error): boolean {
  return /[\\/]node_modules[\\/]/.test(placeOf(error));
}

/** First line of the stack after the message. */
function placeOf({ stack = '' }: Error): string {
  return /^\s+(at .*)$/m.exec(stack)?.[1] ?? '';
}
