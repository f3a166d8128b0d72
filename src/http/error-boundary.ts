import type { Logger } from 'pino';
import { faultReply, replyToError } from './errors.ts';
import { writeReply } from './reply.ts';
import { loggable } from './request-log.ts';
import type { Context, Next } from './request-state.ts';

/** Turns whatever is thrown into an error body. The cause of a fault goes to the log alone. */
export function errorBoundary(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const { requestId } = ctx.state;
      const reply = replyToError(error);
      const answer = reply ?? faultReply();
      if (reply === null) log.error({ requestId, err: loggable(error) }, 'fault');
      else if (reply.status === 503) log.warn({ requestId, err: loggable(error) }, 'unavailable');
      ctx.state.code = answer.body.code;
      writeReply(ctx, answer);
    }
  };
}
