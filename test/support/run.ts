import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';

export const projectRoot = resolve(import.meta.dirname, '../..');

/** How a process ended, and all its output. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Text printed on both streams. */
export type Printed = Pick<Outcome, 'stdout' | 'stderr'>;

/** A process that the test started. */
export interface Run extends Source {
  readonly pid: number;
  readonly ended: Promise<Outcome>;
  /**
   * First match of the pattern in the output, by default on stdout. Rejects with the whole output if the
   * process ends without a match, or after three minutes.
   */
  said(pattern: RegExp, where?: 'stdout' | 'stderr'): Promise<RegExpExecArray>;
  /** Writes to stdin; needs `takesInput`. */
  write(text: string): void;
  /** Sends a signal to the process alone; does nothing if it has ended. */
  kill(signal: NodeJS.Signals): void;
  /** Interrupts the process and everything that it started, as Ctrl-C in a terminal does. */
  interrupt(): void;
}

/** Output that a test awaits. */
export interface Source {
  /** All output so far. */
  printed(): Printed;
  /** Null until the process has ended. */
  outcome(): Outcome | null;
  /** Receives an event `change` after each output, and at the end. */
  readonly heard: EventTarget;
}

export interface RunOptions {
  /** The complete environment, except for PATH: nothing else of the test's own is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** User to run as, by default the current one. Only root can choose another. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** True for a pipe as stdin; by default stdin is empty. */
  readonly takesInput?: boolean;
}

/** Folder for files that are large or must be on the project's disk: temporary files may be in memory. */
export const folderOnDisk = process.env.TMPDIR_ON_DISK ?? tmpdir();

const saidWithinMs = 180_000;

/** Shares compiled code between all programs that tests start; portable to copies of the project. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/node-compile'),
  NODE_COMPILE_CACHE_PORTABLE: '1',
};

/** Includes the started programs in the coverage of `npm run coverage`. */
const { NODE_V8_COVERAGE } = process.env;
export const isCovered = Boolean(NODE_V8_COVERAGE);
const coverage = NODE_V8_COVERAGE ? { NODE_V8_COVERAGE, NODE_DISABLE_COMPILE_CACHE: '1' } : {};

/** Undo functions of the tests that have not ended. */
const left = new Set<() => void>();
const undoAll = () => {
  for (const undo of left) undo();
  left.clear();
};
process.once('exit', undoAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    undoAll();
    // Other listeners decide; without any, the signal ends this process.
    process.kill(process.pid, signal);
  });
}

/** Calls `undo` if this process ends before its tests do: after a time-out, Ctrl-C or SIGTERM. */
export function undoAtExit(t: Pick<Test, 'teardown'>, undo: () => void): void {
  left.add(undo);
  t.teardown(() => left.delete(undo));
}

/**
 * Runs a command in a new process group; the group's remaining processes are killed after the test. `env`
 * starts it, to remove the variables that tap gives to every child.
 */
export function run(
  t: Pick<Test, 'teardown'>,
  command: readonly string[],
  { env = {}, cwd = projectRoot, user, takesInput = false }: RunOptions = {},
): Run {
  const variables = {
    ...{ PATH: process.env.PATH, HOME: folderOnDisk },
    ...compileCache,
    ...coverage,
    ...env,
  };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const child = spawn('/usr/bin/env', ['-i', ...settings, ...command], {
    cwd,
    detached: true,
    stdio: [takesInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    ...user,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot run ${command.join(' ')}`);
  const heard = new EventTarget();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      heard.dispatchEvent(new Event('change'));
    });
  }
  let outcome: Outcome | null = null;
  const ended = once(child, 'close').then(([code, signal]): Outcome => {
    outcome = { code, signal, ...printed };
    heard.dispatchEvent(new Event('change'));
    return outcome;
  });
  const toGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal);
    } catch {
      // The group has no process left.
    }
  };
  const killLeft = () => toGroup('SIGKILL');
  undoAtExit(t, killLeft);
  t.teardown(async () => {
    killLeft();
    await ended;
  });
  const source: Source = { printed: () => printed, outcome: () => outcome, heard };
  return {
    ...source,
    pid,
    ended,
    said: saidIn(source),
    write: (text) => void child.stdin?.write(text),
    kill: (signal) => void child.kill(signal),
    interrupt: () => toGroup('SIGINT'),
  };
}

/** Makes the `said` of a process with this output. */
export function saidIn({ printed, outcome, heard }: Source): Run['said'] {
  return async (pattern, where = 'stdout') => {
    const tooLate = AbortSignal.timeout(saidWithinMs);
    const late = once(tooLate, 'abort');
    for (;;) {
      const match = pattern.exec(printed()[where]);
      if (match !== null) return match;
      const ended = outcome();
      if (ended !== null) {
        throw new Error(`it ended without saying ${pattern}: ${JSON.stringify(ended, null, 2)}`);
      }
      if (tooLate.aborted) {
        throw new Error(
          `it did not say ${pattern} in ${saidWithinMs} ms: ${JSON.stringify(printed(), null, 2)}`,
        );
      }
      await Promise.race([once(heard, 'change'), late]);
    }
  };
}
