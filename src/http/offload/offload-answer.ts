import { Unavailable } from '../../errors/unavailable.ts';
import type { HandedOver } from '../../threads/serve-orders.ts';
import type { ErrorReply } from '../errors/error-reply.ts';
import { replyToError } from '../errors/reply-to-error.ts';
import type { Reply } from '../reply.ts';
import { CostsMore } from './costs-more.ts';
import { OffloadRefused } from './offload-refused.ts';

/**
 * Answer of a thread: the outcome of an order, its unpaid cost, or the error reply that refuses it.
 */
export type OffloadAnswer =
  | { readonly outcome: unknown }
  | { readonly costs: number }
  | { readonly refused: ErrorReply; readonly thrown: Error };

/** A reply whose body is encoded. */
export type HandedReply = Omit<Reply, 'body'> & { readonly body: Uint8Array<ArrayBuffer> | null };

/**
 * For the thread: turns refusals into error replies, since threads do not preserve error classes.
 * Throws faults.
 */
export async function answerOrder(
  work: () => Promise<HandedOver<unknown>>,
): Promise<HandedOver<OffloadAnswer>> {
  try {
    const { answer: outcome, ...handedOver } = await work();
    return { answer: { outcome }, ...handedOver };
  } catch (thrown) {
    if (thrown instanceof CostsMore) return { answer: { costs: thrown.cost } };
    const refused = replyToError(thrown);
    if (refused === null || !(thrown instanceof Error)) throw thrown;
    return { answer: { refused, thrown } };
  }
}

/** For the main thread: returns the outcome. Throws `CostsMore`, or the refusal as an error. */
export function outcomeOf(answer: OffloadAnswer): unknown {
  if ('outcome' in answer) return answer.outcome;
  if ('costs' in answer) throw new CostsMore(answer.costs);
  const { refused, thrown } = answer;
  const { code, message } = refused.body;
  // `Turns` passes this class on to waiting calls.
  if (code === 'SERVICE_UNAVAILABLE') {
    throw new Unavailable(code, message, thrown.message, { cause: thrown });
  }
  throw new OffloadRefused(refused, thrown);
}

/** For the thread: encodes a reply's body as JSON. Bytes stay as they are. */
export function handOverReply({ body, ...head }: Reply): HandedOver<HandedReply> {
  if (body === null) return { answer: { ...head, body } };
  const bytes =
    body instanceof Uint8Array
      ? Uint8Array.from(body)
      : new TextEncoder().encode(JSON.stringify(body));
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...head.headers };
  return { answer: { ...head, headers, body: bytes }, transferred: [bytes.buffer] };
}
