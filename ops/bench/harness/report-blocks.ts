import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { watchBlocks } from './blocks.ts';

/**
 * Preloaded into a program by `--import`. On each SIGUSR2, writes the longest block of the event
 * loop since the last signal to the file in BLOCKS_FILE.
 */
const file = process.env.BLOCKS_FILE;
if (isMainThread && file !== undefined) {
  const blocks = watchBlocks();
  process.on('SIGUSR2', () => writeFileSync(file, JSON.stringify(blocks.take())));
}
