import { threadId, workerData } from 'node:worker_threads';
import { serveOrders } from '../../src/threads/serve-orders.ts';

/** Orders for worker threads in tests. */
export type TestOrder =
  | { readonly do: 'answer'; readonly name: string }
  /** Waits asynchronously until the test opens the gate in shared memory. */
  | { readonly do: 'wait'; readonly name: string; readonly gate: SharedArrayBuffer }
  /** Blocks the whole thread until the test opens the gate. */
  | { readonly do: 'block'; readonly name: string; readonly gate: SharedArrayBuffer }
  | { readonly do: 'throw' | 'throw what cannot be copied' | 'die' | 'hang' }
  | { readonly do: 'measure'; readonly bytes: Uint8Array };

export interface TestAnswer {
  readonly name: string;
  readonly threadId: number;
}

// Loading takes until the test opens this gate.
if (workerData?.loading) Atomics.wait(new Int32Array(workerData.loading), 0, 0);

serveOrders<TestOrder, TestAnswer>(async (order) => {
  switch (order.do) {
    case 'throw':
      throw new RangeError('thrown on order');
    case 'throw what cannot be copied':
      throw new RangeError('thrown on order', { cause: { work: () => {} } });
    case 'die':
      process.exit(7);
      break;
    case 'hang':
      // Takes no processor time, of which an endless loop would use as much as the time limit permits.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      break;
    case 'block':
      Atomics.wait(new Int32Array(order.gate), 0, 0);
      break;
    case 'wait':
      await Atomics.waitAsync(new Int32Array(order.gate), 0, 0).value;
      break;
  }
  const name = 'name' in order ? order.name : '';
  const measured = order.do === 'measure' ? String(order.bytes.length) : name;
  return { answer: { name: measured, threadId } };
});
