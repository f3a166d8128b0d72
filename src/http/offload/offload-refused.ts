import type { ErrorReply } from '../errors/error-reply.ts';

/** A call was refused on another thread; the error thrown there is the cause. */
export class OffloadRefused extends Error {
  readonly reply: ErrorReply;

  constructor(reply: ErrorReply, cause: Error) {
    super(reply.body.message, { cause });
    this.name = 'OffloadRefused';
    this.reply = reply;
  }
}
