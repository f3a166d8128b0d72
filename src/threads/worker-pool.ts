import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import { FairLine } from '../domain/fair-line.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { ThreadMessage, ThreadOrder } from './serve-orders.ts';

/**
 * Carries out orders on worker threads. Organisations take turns; null stands for the service
 * itself.
 * - `run`: resolves with the thread's answer, or rejects with the error thrown there. Rejects with
 *   an `unavailable` error after `close`, if too many orders of the organisation wait, if the order
 *   starts or ends too late, or if its threads died. An order whose thread died is repeated once,
 *   unless parts of it were transferred. So orders must be repeatable.
 * - `close`: ends the threads and refuses all orders.
 */
interface WorkerPool<Order, Answer> {
  run(
    organisationId: OrganisationId | null,
    order: Order,
    transferred?: readonly Transferable[],
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface WorkerPoolOptions {
  /** A module that calls `serveOrders`. */
  readonly thread: URL;
  readonly workerData?: unknown;
  /** Maximum threads; each starts when it is needed. */
  readonly threads: number;
  /** Concurrent orders of one thread; default 1. */
  readonly ordersPerThread?: number;
  /** Maximum waiting orders of one organisation. */
  readonly maxWaiting: number;
  /** Maximum wait of an order; default unlimited. */
  readonly waitMs?: number;
  /**
   * Maximum duration of an order; its thread is ended then. Counted anew once a new thread has
   * loaded its modules, so that a busy machine does not charge the first order for them.
   */
  readonly timeoutMs: number;
  /** A thread that exceeds its heap dies alone. */
  readonly resourceLimits: ResourceLimits;
  /** Makes the error of an order that failed. `options` are given only if its threads died. */
  readonly unavailable: (reason: string, options?: ErrorOptions) => Error;
  /** Called when a thread has died, with the error if there is one. */
  readonly onDeath?: (cause: unknown) => void;
  /** Receives the reports of all threads. */
  readonly onReport?: (report: unknown) => void;
}

interface Job<Order, Answer> {
  readonly organisationId: OrganisationId | null;
  readonly order: Order;
  readonly transferred: readonly Transferable[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Threads that died while they had the order. */
  deaths: number;
  /** Ends the wait. */
  waiting: NodeJS.Timeout | undefined;
}

interface Thread<Order, Answer> {
  readonly worker: Worker;
  /** False while its modules are loaded. */
  isRunning: boolean;
  /** The oldest order comes first. */
  readonly inHand: Map<number, InHand<Order, Answer>>;
}

interface InHand<Order, Answer> {
  readonly job: Job<Order, Answer>;
  readonly timer: NodeJS.Timeout;
  readonly begunAt: number;
}

const maxDeaths = 2;

export function createWorkerPool<Order, Answer>(
  options: WorkerPoolOptions,
): WorkerPool<Order, Answer> {
  const { threads: maxThreads, ordersPerThread = 1, maxWaiting, timeoutMs, unavailable } = options;
  const threads = new Set<Thread<Order, Answer>>();
  const line = new FairLine<Job<Order, Answer>>();
  /** Orders of dead threads. Each is repeated alone on a thread: another order may be to blame. */
  const repeated: Job<Order, Answer>[] = [];
  let numbers = 0;
  let closed = false;

  return {
    run: (organisationId, order, transferred = []) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(unavailable('the threads are ended'));
        if (line.waiting(organisationId) >= maxWaiting) {
          return reject(unavailable(`${maxWaiting} of one organisation wait already`));
        }
        const deaths = 0;
        join({ organisationId, order, transferred, resolve, reject, deaths, waiting: undefined });
        assign();
      }),
    async close() {
      closed = true;
      const refused = unavailable('the threads are ended');
      for (const { reject, waiting } of [...line.clear(), ...repeated.splice(0)]) {
        clearTimeout(waiting);
        reject(refused);
      }
      const ends = Array.from(threads, (thread) => {
        for (const { job } of takeAll(thread)) job.reject(refused);
        return thread.worker.terminate();
      });
      await Promise.all(ends);
    },
  };

  function join(job: Job<Order, Answer>): void {
    const { waitMs } = options;
    line.join(job.organisationId, job);
    if (waitMs === undefined) return;
    job.waiting = setTimeout(() => {
      line.leave(job.organisationId, job);
      job.reject(unavailable(`not begun within ${waitMs} ms`));
    }, waitMs);
  }

  function assign(): void {
    while (!closed && repeated.length > 0) {
      if (threads.size < maxThreads) start();
      const idle = [...threads].find(({ inHand }) => inHand.size === 0);
      if (idle === undefined) break;
      const job = repeated.shift();
      if (job !== undefined) begin(idle, job);
    }
    while (!closed && line.has()) {
      const thread = choose();
      if (thread === undefined) return;
      const job = line.next();
      if (job !== undefined) begin(thread, job);
    }
  }

  /**
   * The thread for the next order; undefined if all are busy. If none is idle, another thread
   * starts, but a running thread that has room takes the order meanwhile. Prefers the thread whose
   * orders are young: an old order may be a long computation that blocks the others.
   */
  function choose(): Thread<Order, Answer> | undefined {
    const hasIdle = [...threads].some(({ inHand }) => inHand.size === 0);
    if (!hasIdle && threads.size < maxThreads) start();
    const [best] = [...threads]
      .filter(({ inHand }) => inHand.size < ordersPerThread && !isAlone(inHand))
      .sort((a, b) => Number(b.isRunning) - Number(a.isRunning) || oldestOf(b) - oldestOf(a));
    return best;
  }

  /** True if the thread has a repeated order. */
  function isAlone(inHand: Thread<Order, Answer>['inHand']): boolean {
    return [...inHand.values()].some(({ job }) => job.deaths > 0);
  }

  /** Start of the oldest order in hand; `Number.MAX_VALUE` for an idle thread. */
  function oldestOf({ inHand }: Thread<Order, Answer>): number {
    const [oldest] = inHand.values();
    return oldest?.begunAt ?? Number.MAX_VALUE;
  }

  function begin(thread: Thread<Order, Answer>, job: Job<Order, Answer>): void {
    clearTimeout(job.waiting);
    numbers += 1;
    const number = numbers;
    const timer = setTimeout(() => {
      take(thread, number)?.reject(unavailable(`not done within ${timeoutMs} ms`));
      onEnd(thread, undefined);
      void thread.worker.terminate();
    }, timeoutMs);
    thread.inHand.set(number, { job, timer, begunAt: performance.now() });
    thread.worker.ref();
    const message: ThreadOrder<Order> = { number, order: job.order };
    try {
      thread.worker.postMessage(message, job.transferred);
    } catch (error) {
      // The order cannot be copied to a thread.
      take(thread, number)?.reject(error);
    }
  }

  /** Takes a job off its thread. An idle thread does not keep the process alive. */
  function take(thread: Thread<Order, Answer>, number: number): Job<Order, Answer> | undefined {
    const { job, timer } = thread.inHand.get(number) ?? {};
    clearTimeout(timer);
    thread.inHand.delete(number);
    if (thread.inHand.size === 0) thread.worker.unref();
    return job;
  }

  function takeAll(thread: Thread<Order, Answer>) {
    const all = [...thread.inHand.values()];
    for (const number of thread.inHand.keys()) take(thread, number);
    return all;
  }

  function start(): void {
    const { thread: url, workerData, resourceLimits } = options;
    const worker = new Worker(url, { workerData, resourceLimits });
    worker.unref();
    const thread: Thread<Order, Answer> = { worker, inHand: new Map(), isRunning: false };
    threads.add(thread);
    worker.on('message', (message: ThreadMessage<Answer>) => {
      if ('running' in message) {
        thread.isRunning = true;
        for (const { timer } of thread.inHand.values()) timer.refresh();
        return;
      }
      if ('report' in message) {
        options.onReport?.(message.report);
        return;
      }
      const job = take(thread, message.number);
      if ('error' in message) job?.reject(message.error);
      else job?.resolve(message.answer);
      assign();
    });
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => onEnd(thread, cause));
  }

  /** Repeats the orders of a dead thread once: another order, or the machine, may be to blame. */
  function onEnd(thread: Thread<Order, Answer>, cause: unknown): void {
    if (!threads.delete(thread) || closed) return;
    options.onDeath?.(cause);
    for (const { job } of takeAll(thread)) {
      job.deaths += 1;
      const again = job.deaths < maxDeaths && job.transferred.length === 0;
      if (again) repeated.push(job);
      else job.reject(unavailable('its thread died', { cause }));
    }
    assign();
  }
}
