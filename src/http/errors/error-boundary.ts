import type { Logger } from 'pino';
import { loggable } from '../../errors/loggable.ts';
import { type Reply, writeReply } from '../reply.ts';
import type { Context, Next } from '../request-state.ts';
import { type ErrorReply, faultReply } from './error-reply.ts';
import { replyToError } from './reply-to-error.ts';

/**
 * Turns every thrown value into an error body, or into a page for people (`pageOf`). Only the log
 * contains the cause of a fault.
 */
export function errorBoundary(
  log: Logger,
  pageOf: (ctx: Context, answer: ErrorReply) => Reply | null,
) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const { requestId } = ctx.state;
      const reply = replyToError(error);
      const answer = reply ?? faultReply();
      if (reply === null)
        log.error({ requestId, err: loggable(error) }, 'unexpected error in a request');
      else if (reply.status === 503)
        log.warn(
          { requestId, err: loggable(error) },
          'a part of the service is unavailable; the request is answered 503',
        );
      ctx.state.code = answer.body.code;
      writeReply(ctx, pageOf(ctx, answer) ?? answer);
    }
  };
}
