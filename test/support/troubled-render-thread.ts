import { parentPort } from 'node:worker_threads';
import type { RenderOrder } from '../../src/certificates/pdf/render-worker.ts';
import type { ThreadOrder } from '../../src/threads/serve-orders.ts';

/**
 * Renders certificates, except for two names of files: for `hungry` the thread allocates memory until it
 * fails, for `endless` it never answers.
 */
parentPort?.on('message', ({ order }: ThreadOrder<RenderOrder>) => {
  const fileName = 'content' in order ? order.content.fileName : null;
  if (fileName === 'endless') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (fileName !== 'hungry') return;
  const hoard: unknown[] = [];
  for (;;) hoard.push(new Array(50_000).fill(hoard.length + 0.5));
});
await import('../../src/certificates/pdf/render-worker.ts');
