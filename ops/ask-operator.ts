import { createInterface } from 'node:readline/promises';

/** Where somebody is asked; of a process its standard input and standard error. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks whoever is at the terminal for a line. Resolves with it, or with null where nobody can be asked and
 * where none comes: Ctrl-D, Ctrl-C.
 */
export async function askOperator(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string | null> {
  if (!input.isTTY) return null;
  const asking = createInterface({ input, output });
  // A question whose input ends is never answered.
  const ended = new Promise<null>((resolve) => asking.once('close', () => resolve(null)));
  try {
    return await Promise.race([asking.question(question), ended]);
  } finally {
    asking.close();
  }
}
