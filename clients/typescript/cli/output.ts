import { once } from 'node:events';
import { exit, stderr, stdout } from 'node:process';
import { printable, printableJson } from '../../../ops/terminal/printable.ts';
import { exitCodes } from './ending.ts';

/** Ends the program, as other programs do, when nobody reads its output any more (`| head -1`). */
export function endWithReader(): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') exit(exitCodes.outputClosed);
    throw error;
  });
  // Without a reader of messages, only the results count.
  stderr.on('error', () => {});
}

/** Writes one line of JSON, or one line for people, on standard output. */
export async function writeResult(
  isJson: boolean | undefined,
  value: object,
  text: string,
): Promise<void> {
  await writeOut(`${isJson ? printableJson(value) : printable(text)}\n`);
}

/** Resolves when there is room for more. */
export async function writeOut(content: string | Uint8Array): Promise<void> {
  if (!stdout.write(content)) await once(stdout, 'drain');
}

/** Writes a message for people on standard error. */
export function say(text: string): void {
  stderr.write(`${printable(text)}\n`);
}
