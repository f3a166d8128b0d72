import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { watchBlocks } from './watch-blocks.ts';

/**
 * Loaded into a program by `--import`: on SIGUSR2 it writes the longest block of the event loop since
 * the last one to the file that BLOCKS_FILE names.
 */
const file = process.env.BLOCKS_FILE;
if (isMainThread && file !== undefined) {
  const blocks = watchBlocks();
  process.on('SIGUSR2', () => writeFileSync(file, JSON.stringify(blocks.take())));
}
