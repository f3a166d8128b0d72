import type { ChargeBook } from './charge-book.ts';
import { Unanswered } from './ledger-unavailable.ts';
import { refusalOf, ServerBusy } from './server-refused.ts';
import type { ServerSocket } from './server-socket.ts';

/** Close code of a server that drops a client for its load (RFC 6455 §7.4.1). */
export const policyViolation = 1008;

/** Wait after a drop: the server's count of our load halves in about 20 s. */
export const backoffAfterDropMs = 2_000;

/**
 * Makes a request on a connection when the charge book has room, and resolves with the result.
 * Rejects with `ServerRefused`, with `Unanswered` if no answer came, and with `LedgerUnavailable` if
 * `abandoned` aborts before the request was made. Rejects with `Withdrawn` if `isWanted` returns
 * false by then.
 */
export async function requestCharged<Result>(
  socket: ServerSocket,
  { command, fields = {} }: { readonly command: string; readonly fields?: object | undefined },
  { name, book, abandoned, isWanted }: ChargedBy,
): Promise<Result> {
  await book.turn(command, abandoned, isWanted);
  const answer = await socket.ask(command, { api_version: 2, ...fields }).catch((cause) => {
    throw new Unanswered(command, `${name} does not answer ${command}`, { cause });
  });
  const refused = refusalOf(answer);
  book.answered({ warned: answer.warning === 'load', isError: refused !== null });
  if (refused instanceof ServerBusy) book.refused('slowDown');
  if (refused) throw refused;
  return answer.result as Result;
}

interface ChargedBy {
  /** Name of the server. */
  readonly name: string;
  readonly book: ChargeBook;
  readonly abandoned: AbortSignal;
  readonly isWanted?: (() => boolean) | undefined;
}
