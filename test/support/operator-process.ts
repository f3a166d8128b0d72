/**
 * Runs operator's commands one after the other in one process, so that their code is loaded once. Reads an
 * `OperatorOrder` from each line of stdin, and writes an `OperatorAnswer` as one line to stdout. A command
 * that calls `process.exit` ends there, and this process takes the next order.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { operate } from '../../ops/operate.ts';
import type { Outcome } from './run.ts';

export interface OperatorOrder {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly args: readonly string[];
}

export interface OperatorAnswer extends Outcome {
  /** This process takes no further orders. */
  readonly ends: boolean;
}

const own = { ...process.env };
const streams = ['stdout', 'stderr'] as const;
let printed = { stdout: '', stderr: '' };
let isBusy = false;

for (const name of streams) {
  process[name].write = (text: string | Uint8Array) => {
    printed[name] += String(text);
    return true;
  };
}

/** Output and exit code at the first `process.exit` of the current command. */
let exited: Omit<Outcome, 'signal'> | undefined;

// Throws, so that the command ends here. The caller ignores all that follows it.
process.exit = (code) => {
  exited ??= { code: Number(code ?? process.exitCode ?? 0), ...printed };
  throw new Error('the command has exited');
};

// After an error that nobody caught.
process.once('exit', (code) => {
  if (isBusy) answer({ code, ...printed }, true);
});

for await (const line of createInterface(process.stdin)) {
  const { env, cwd, args } = JSON.parse(line) as OperatorOrder;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, own, env);
  printed = { stdout: '', stderr: '' };
  exited = undefined;
  process.exitCode = undefined;
  process.chdir(cwd);
  isBusy = true;
  await operate([process.execPath, 'ops/cli.ts', ...args]);
  answer(exited ?? { code: Number(process.exitCode ?? 0), ...printed }, false);
  isBusy = false;
}

/** Blocks while the pipe is full. */
function answer(outcome: Omit<Outcome, 'signal'>, ends: boolean): void {
  const given: OperatorAnswer = { ...outcome, signal: null, ends };
  let rest = Buffer.from(`${JSON.stringify(given)}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
