import { operatorProgram } from './operator-program.ts';
import { failureMessage } from './terminal/error-message.ts';
import { printableLines } from './terminal/printable.ts';

/**
 * Runs one operator command, with arguments as in `process.argv`. Writes an error to stderr and
 * sets the exit code.
 */
export async function operate(argv: readonly string[]): Promise<void> {
  try {
    const program = await operatorProgram(argv[2]);
    await program.parseAsync(argv, { from: 'node' });
  } catch (error) {
    process.stderr.write(`error: ${printableLines(failureMessage(error))}\n`);
    process.exitCode = 1;
  }
}
