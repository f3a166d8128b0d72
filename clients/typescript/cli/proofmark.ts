#!/usr/bin/env node
import process from 'node:process';
import { CommanderError } from 'commander';
import { commandLine } from './command-line.ts';
import { exitCodeOf, exitCodes, messageOf } from './ending.ts';
import { endWithReader, say } from './output.ts';

declare const packageVersion: string;

/** Time in which work that was interrupted may end by itself, in milliseconds. */
const endingMs = 500;

const ending = new AbortController();
/** Name of the command that is at work. */
let running: string | null = null;
for (const [name, code] of [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', 143],
] as const) {
  process.once(name, () => {
    const sent = ' Hashes that were sent are proven all the same: run it again to see them.';
    say(`Interrupted.${running === 'prove' ? sent : ''}`);
    process.exitCode = code;
    ending.abort();
    // A pipe without data cannot be interrupted otherwise.
    setTimeout(() => process.exit(code), endingMs);
  });
}

endWithReader();
const program = commandLine(packageVersion, ending.signal);
program.hook('preAction', (_, command) => {
  running = command.name();
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUse;
  } else if (!ending.signal.aborted) {
    say(`proofmark: ${messageOf(error)}`);
    process.exitCode = exitCodeOf(error);
  }
}
if (ending.signal.aborted) process.exit();
