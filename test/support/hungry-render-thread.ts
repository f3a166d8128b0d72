import { parentPort } from 'node:worker_threads';
import type { RenderOrder } from '../../src/certificates/pdf/render-worker.ts';
import type { ThreadOrder } from '../../src/threads/serve-orders.ts';

/** Renders, but of a certificate for `hungry` it eats all the memory that it can get, bite by bite. */
parentPort?.on('message', ({ order }: ThreadOrder<RenderOrder>) => {
  if (order.content.fileName !== 'hungry') return;
  const hoard: unknown[] = [];
  for (;;) hoard.push(Array.from({ length: 1_000 }, (_, i) => ({ i })));
});
await import('../../src/certificates/pdf/render-worker.ts');
