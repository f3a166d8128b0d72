import { Worker } from 'node:worker_threads';
import type { CertificateContent } from '../certificate-content.ts';
import type { RenderAnswer, RenderOrder } from './render-worker.ts';
import { RendererUnavailable } from './renderer-unavailable.ts';

/**
 * Renders certificates on threads of its own, so that whoever asks is not held up.
 * - `render`: as `renderCertificate`. Throws RendererUnavailable if too many wait already, if a thread
 *   died of this certificate twice or did not finish it in time, or after `close`: try again later.
 *   Any other error is a defect. Rendering again is harmless: it gives the same bytes.
 * - `close`: ends the threads; what still waits is refused.
 */
export interface CertificateRenderer {
  render(content: CertificateContent, bundle: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Started when they are needed. */
  readonly threads?: number;
  /** Certificates that wait for a thread. */
  readonly maxWaiting?: number;
  /** For one certificate. */
  readonly timeoutMs?: number;
  /**
   * Of JavaScript's heap, for each thread: a runaway dies alone, unless it asks for very much in one
   * piece (https://github.com/nodejs/node/issues/47224). What certificates say is bounded far below.
   */
  readonly memoryMb?: number;
  /** What threads run; by default what renders. */
  readonly thread?: URL;
}

interface Job extends RenderOrder {
  readonly resolve: (pdf: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  /** Threads that died of it, or with it. */
  deaths: number;
}

interface Thread {
  readonly worker: Worker;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
}

const defaults = {
  ...{ threads: 1, maxWaiting: 500, timeoutMs: 20_000, memoryMb: 512 },
  thread: new URL('./render-worker.ts', import.meta.url),
};
const maxDeaths = 2;
/** What one certificate takes is garbage at once: it is collected more cheaply in few goes. */
const youngMb = 64;

export function createCertificateRenderer(options: RendererOptions = {}): CertificateRenderer {
  const {
    threads: maxThreads,
    maxWaiting,
    timeoutMs,
    memoryMb,
    thread: url,
  } = {
    ...defaults,
    ...options,
  };
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let closed = false;

  return {
    render: (content, bundle) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new RendererUnavailable('the renderer is closed'));
        if (waiting.length >= maxWaiting) {
          return reject(new RendererUnavailable(`${maxWaiting} certificates wait already`));
        }
        waiting.push({ content, bundle, resolve, reject, deaths: 0 });
        assign();
      }),
    async close() {
      closed = true;
      const refused = new RendererUnavailable('the renderer is closed');
      for (const { reject } of waiting.splice(0)) reject(refused);
      const ends = Array.from(threads, ({ worker, job }) => {
        job?.reject(refused);
        return worker.terminate();
      });
      await Promise.all(ends);
    },
  };

  function assign(): void {
    while (waiting.length > 0 && !closed) {
      const idle = [...threads].find(({ job }) => job === null);
      if (idle === undefined && threads.size >= maxThreads) return;
      const job = waiting.shift();
      if (job !== undefined) begin(idle ?? start(), job);
    }
  }

  function begin(thread: Thread, job: Job): void {
    thread.job = job;
    thread.worker.ref();
    thread.timer = setTimeout(() => {
      finish(thread)?.reject(new RendererUnavailable(`not rendered within ${timeoutMs} ms`));
      remove(thread);
      assign();
    }, timeoutMs);
    const order: RenderOrder = { content: job.content, bundle: job.bundle };
    thread.worker.postMessage(order);
  }

  /** The job that the thread had; it keeps nobody waiting from then on. */
  function finish(thread: Thread): Job | null {
    const { job } = thread;
    clearTimeout(thread.timer);
    thread.job = null;
    thread.worker.unref();
    return job;
  }

  function remove(thread: Thread): void {
    threads.delete(thread);
    void thread.worker.terminate();
  }

  function start(): Thread {
    const worker = new Worker(url, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
    });
    const thread: Thread = { worker, job: null, timer: undefined };
    threads.add(thread);
    worker.on('message', (answer: RenderAnswer) => {
      const job = finish(thread);
      if ('pdf' in answer) job?.resolve(answer.pdf);
      else job?.reject(answer.error);
      assign();
    });
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      threads.delete(thread);
      const job = finish(thread);
      if (job !== null && !closed) onDeath(job, cause);
      assign();
    });
    return thread;
  }

  /** Another certificate, or the machine, may have been to blame: once more, on a new thread. */
  function onDeath(job: Job, cause: unknown): void {
    job.deaths += 1;
    if (job.deaths < maxDeaths) waiting.unshift(job);
    else job.reject(new RendererUnavailable('its thread died', { cause }));
  }
}
