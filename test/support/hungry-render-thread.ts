import { parentPort } from 'node:worker_threads';
import type { RenderOrder } from '../../src/certificates/pdf/render-worker.ts';
import type { ThreadOrder } from '../../src/threads/serve-orders.ts';

/** Renders certificates, but for a file named `hungry` allocates memory until the thread fails. */
parentPort?.on('message', ({ order }: ThreadOrder<RenderOrder>) => {
  if (order.content.fileName !== 'hungry') return;
  const hoard: unknown[] = [];
  for (;;) hoard.push(new Array(50_000).fill(hoard.length + 0.5));
});
await import('../../src/certificates/pdf/render-worker.ts');
