import { Worker } from 'node:worker_threads';
import type { DetectionMessage, DetectionRequest } from './detection-thread.ts';
import { VerificationUnavailable } from './verification-unavailable.ts';

/** How long things may take, in milliseconds. */
export interface DetectorLimits {
  /** To start the thread. */
  readonly startMs: number;
  /** To look at one file. */
  readonly fileMs: number;
}

/** Far above what any file was seen to take; what a thread needs beyond its heap is bounded too. */
const resourceLimits = {
  maxOldGenerationSizeMb: 96,
  maxYoungGenerationSizeMb: 16,
  codeRangeSizeMb: 16,
  stackSizeMb: 4,
};

/**
 * Looks at one file after the other in a thread of its own, so that a file made to hold up or break
 * its parser does so to that thread alone: it is ended then, and a new one started for the next file.
 */
export class Detector {
  readonly #thread: URL;
  readonly #limits: DetectorLimits;
  #worker: Worker | null = null;

  constructor(thread: URL, limits: DetectorLimits) {
    this.#thread = thread;
    this.#limits = limits;
  }

  /**
   * What the file's bytes are, as `detect` says. Rejects with `VerificationUnavailable` if it could
   * not be looked at. One call at a time.
   */
  async detect(path: string): Promise<string | null> {
    const worker = await this.#started();
    const request: DetectionRequest = { path };
    worker.postMessage(request);
    const message = await this.#hear(worker, this.#limits.fileMs);
    if (message.status === 'detected') return message.found;
    if (message.status === 'ready')
      throw new TypeError('the detecting thread answered out of turn');
    throw new VerificationUnavailable(`the file could not be read: ${message.message}`);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #started(): Promise<Worker> {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.#thread, { resourceLimits });
    // It keeps nobody from ending; its errors are heard of by whoever waits for it.
    worker.unref();
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    this.#worker = worker;
    await this.#hear(worker, this.#limits.startMs);
    return worker;
  }

  /** The thread's next message; if none comes in time, or ever, the thread is ended. */
  async #hear(worker: Worker, withinMs: number): Promise<DetectionMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<DetectionMessage>();
    const died = (cause?: unknown) => reject(unavailable('the detecting thread died', cause));
    const onExit = () => died();
    const timer = setTimeout(() => {
      reject(unavailable(`the detecting thread did not answer within ${withinMs} ms`));
    }, withinMs);
    worker.once('message', resolve).once('error', died).once('exit', onExit);
    try {
      return await promise;
    } catch (trouble) {
      if (this.#worker === worker) this.#worker = null;
      void worker.terminate();
      throw trouble;
    } finally {
      clearTimeout(timer);
      worker.off('message', resolve).off('error', died).off('exit', onExit);
    }
  }
}

function unavailable(message: string, cause?: unknown): VerificationUnavailable {
  return new VerificationUnavailable(message, cause === undefined ? {} : { cause });
}
