import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { EncryptedFile } from '../encrypted-files/segment-reader.ts';
import type { DetectionMessage, DetectionRequest } from './detection-thread.ts';
import { VerificationUnavailable } from './verification-unavailable.ts';

/** Time limits, in milliseconds. */
export interface DetectorLimits {
  /** To start the thread. */
  readonly startMs: number;
  /** Processor time of the thread for one file. A file on a busy machine does not use it up sooner. */
  readonly fileMs: number;
  /** Until the answer about one file. */
  readonly answerMs: number;
}

/** Far above the need of any observed file. Memory outside the heap is limited too. */
const resourceLimits = {
  maxOldGenerationSizeMb: 96,
  maxYoungGenerationSizeMb: 16,
  codeRangeSizeMb: 16,
  stackSizeMb: 4,
};

/**
 * Detects formats in a thread of its own, one file at a time. A file that blocks or crashes its
 * parser affects only that thread. The thread is then ended, and a new one starts for the next
 * file.
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
   * Result of `detect` for the file. Rejects with `VerificationUnavailable` if the check failed.
   * One call at a time.
   */
  async detect({ path, sizeBytes, contentKey }: EncryptedFile): Promise<string | null> {
    const worker = await this.#started();
    const request: DetectionRequest = { file: { path, sizeBytes, contentKey } };
    worker.postMessage(request);
    const { answerMs, fileMs } = this.#limits;
    const message = await this.#hear(worker, answerMs, fileMs);
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
    // The thread does not keep the process alive. `#hear` handles its errors.
    worker.unref();
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    this.#worker = worker;
    await this.#hear(worker, this.#limits.startMs);
    return worker;
  }

  /**
   * The thread's next message. Ends the thread if no message comes in time, or if the thread uses
   * more processor time than `processorMs` before.
   */
  async #hear(worker: Worker, withinMs: number, processorMs?: number): Promise<DetectionMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<DetectionMessage>();
    const died = (cause?: unknown) => reject(unavailable('the detecting thread died', cause));
    const onExit = () => died();
    const timer = setTimeout(() => {
      reject(unavailable(`the detecting thread did not answer within ${withinMs} ms`));
    }, withinMs);
    worker.once('message', resolve).once('error', died).once('exit', onExit);
    const heard = new AbortController();
    if (processorMs !== undefined) {
      const used = `the detecting thread used ${processorMs} ms of processor time for one file`;
      // Rejects once the message is there or the thread has ended: nothing is left to watch.
      untilUsed(worker, processorMs, heard.signal).then(
        () => reject(unavailable(used)),
        () => {},
      );
    }
    try {
      return await promise;
    } catch (trouble) {
      if (this.#worker === worker) this.#worker = null;
      void worker.terminate();
      throw trouble;
    } finally {
      clearTimeout(timer);
      heard.abort();
      worker.off('message', resolve).off('error', died).off('exit', onExit);
    }
  }
}

/** Resolves once the thread has used this much processor time since the call, in milliseconds. */
async function untilUsed(worker: Worker, processorMs: number, signal: AbortSignal): Promise<void> {
  const before = await worker.cpuUsage();
  for (let left = processorMs; left > 0; ) {
    // It cannot have used more than the time that has passed.
    await sleep(Math.max(left, 10), undefined, { signal, ref: false });
    const { user, system } = await worker.cpuUsage(before);
    left = processorMs - (user + system) / 1_000;
  }
}

function unavailable(message: string, cause?: unknown): VerificationUnavailable {
  return new VerificationUnavailable(message, cause === undefined ? {} : { cause });
}
