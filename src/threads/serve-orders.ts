import { parentPort, type Transferable } from 'node:worker_threads';

/** A numbered order to a thread of a `WorkerPool`. */
export interface ThreadOrder<Order> {
  readonly number: number;
  readonly order: Order;
}

/** `running` once at the start, one answer to each order, and reports at any time. */
export type ThreadMessage<Answer> =
  | { readonly number: number; readonly answer: Answer }
  | { readonly number: number; readonly error: Error }
  | { readonly report: unknown }
  | { readonly running: true };

/** An answer; `transferred` parts are moved to the receiver instead of copied. */
export interface HandedOver<Answer> {
  readonly answer: Answer;
  readonly transferred?: readonly Transferable[];
}

/** Carries out the orders of the pool that started this thread, several at a time. */
export function serveOrders<Order, Answer>(
  work: (order: Order) => Promise<HandedOver<Answer>>,
): void {
  const say = (message: ThreadMessage<Answer>, transferred: readonly Transferable[] = []) =>
    parentPort?.postMessage(message, [...transferred]);
  say({ running: true });
  parentPort?.on('message', async ({ number, order }: ThreadOrder<Order>) => {
    try {
      const { answer, transferred } = await work(order);
      say({ number, answer }, transferred);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      try {
        say({ number, error });
      } catch {
        // A property of the error cannot be copied.
        say({ number, error: new Error(`${error.name}: ${error.message}`) });
      }
    }
  });
}

/** Sends a report to the pool's `onReport`. */
export function report(what: unknown): void {
  parentPort?.postMessage({ report: what } satisfies ThreadMessage<never>);
}
