import { errorMessage } from './error-message.ts';
import { operatorProgram } from './operator-program.ts';
import { printableLines } from './printable.ts';

// Who reads the output may stop before its end, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exitCode = 1;
});

try {
  const program = await operatorProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`error: ${printableLines(errorMessage(error))}\n`);
  process.exitCode = 1;
}
