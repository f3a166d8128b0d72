import { createInterface } from 'node:readline/promises';

/** Terminal of the operator; by default standard input and standard error. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks the operator for a line. Resolves with null if the input is no terminal or ends without a
 * line (Ctrl-D, Ctrl-C).
 */
export async function askOperator(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string | null> {
  if (!input.isTTY) return null;
  const asking = createInterface({ input, output });
  // `question` never settles if its input ends.
  const ended = new Promise<null>((resolve) => asking.once('close', () => resolve(null)));
  try {
    return await Promise.race([asking.question(question), ended]);
  } finally {
    asking.close();
  }
}
