import { ProofmarkError } from '../errors.ts';

/**
 * Ends one attempt of a call that takes too long: its `signal` aborts with a TimeoutError if the
 * answer does not begin, or pauses. It also aborts with the caller's signal.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Times in milliseconds: until the answer begins, and longest pause within it. */
  constructor(outer: AbortSignal | undefined, answerMs: number, pauseMs: number) {
    outer?.throwIfAborted();
    this.#outer = outer;
    this.#pauseMs = pauseMs;
    outer?.addEventListener('abort', this.#abort, { once: true });
    this.#start(answerMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The same answer, with a body that fails if it pauses, or has more bytes than these. */
  guard(response: Response, maxBytes: number): Response {
    const { body, status, statusText, headers } = response;
    if (body === null) {
      this.end();
      return response;
    }
    this.#start(this.#pauseMs);
    let bytes = 0;
    const guarded = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, out) => {
          this.#start(this.#pauseMs);
          bytes += chunk.length;
          if (bytes > maxBytes) {
            const message = `the answer is larger than ${maxBytes} bytes`;
            throw new ProofmarkError('UNEXPECTED_ANSWER', message, { status });
          }
          out.enqueue(chunk);
        },
        flush: () => this.end(),
      }),
    );
    return new Response(guarded, { status, statusText, headers });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort(this.#outer?.reason);

  #start(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const reason = new DOMException('the service did not answer in time', 'TimeoutError');
      this.#controller.abort(reason);
    }, ms);
    // In Node, an abandoned answer keeps no process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
