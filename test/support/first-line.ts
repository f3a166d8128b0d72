import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** First line of a process's output. Rejects if the process ends without one. */
export function firstLine(output: Readable): Promise<string> {
  const line = read(output);
  // A test that kills the process first may leave this promise unawaited.
  line.catch(() => {});
  return line;
}

async function read(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) return line;
  throw new Error('the process ended without a word');
}
