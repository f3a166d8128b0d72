import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The first line of a process's output. Rejects if it ends without one, rather than never. */
export function firstLine(output: Readable): Promise<string> {
  const line = read(output);
  // Whoever ends the process before it says anything need not have waited for it.
  line.catch(() => {});
  return line;
}

async function read(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) return line;
  throw new Error('the process ended without a word');
}
