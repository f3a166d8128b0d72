import { parentPort, threadId } from 'node:worker_threads';
import type {
  DetectionMessage,
  DetectionRequest,
} from '../../src/byte-verification/detection-thread.ts';

/**
 * Stands in for the detecting thread: the name of the file selects the fault. Answers name their thread.
 */
const say = (message: DetectionMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ file: { path } }: DetectionRequest) => {
  if (path === 'hang') for (;;);
  if (path === 'exit') process.exit(1);
  if (path === 'throw') throw new Error('a bug of the parser');
  if (path === 'memory') {
    const hoard: unknown[] = [];
    for (;;) hoard.push(Array.from({ length: 1_000 }, (_, i) => ({ i })));
  }
  if (path === 'silent') return;
  const answer = () => say({ status: 'detected', found: `thread ${threadId}` });
  if (path === 'wait') setTimeout(answer, 600);
  else answer();
});
say({ status: 'ready' });
