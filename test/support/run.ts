import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';

export const projectRoot = resolve(import.meta.dirname, '../..');

/** How a process ended, with all that it printed. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that the test started. */
export interface Run {
  readonly pid: number;
  readonly ended: Promise<Outcome>;
  /**
   * The first match of the pattern in what it prints, by default on stdout. Rejects with all that it printed
   * if it ends without a match, or after a minute.
   */
  said(pattern: RegExp, where?: 'stdout' | 'stderr'): Promise<RegExpExecArray>;
  /** Writes to its stdin, which must have been asked for. */
  write(text: string): void;
  /** To the process alone; nothing if it has ended. */
  kill(signal: NodeJS.Signals): void;
  /** As a terminal's Ctrl-C does: to the process and everything it started. */
  interrupt(): void;
}

export interface RunOptions {
  /** Nothing of the test's own environment is passed on but PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whom it runs as; this user by default. Only root can choose. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Whether its stdin is a pipe; by default it is empty. */
  readonly takesInput?: boolean;
}

/** For what is large, or must be on the disk of the project: temporary files may be in memory. */
export const folderOnDisk = process.env.TMPDIR_ON_DISK ?? tmpdir();

const saidWithinMs = 60_000;

/** What is compiled once is not compiled again by every program that tests start. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/node-compile'),
};

/** Under `npm run coverage`, programs that tests start are covered too. */
const { NODE_V8_COVERAGE } = process.env;
const coverage = NODE_V8_COVERAGE ? { NODE_V8_COVERAGE, NODE_DISABLE_COMPILE_CACHE: '1' } : {};

/** Undoes for each test what its teardown would. */
const left = new Set<() => void>();
const undoAll = () => {
  for (const undo of left) undo();
  left.clear();
};
process.once('exit', undoAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    undoAll();
    // Others listen, or it ends this process.
    process.kill(process.pid, signal);
  });
}

/** Has `undo` called if this process ends before its tests do: after a time-out, Ctrl-C or SIGTERM. */
export function undoAtExit(t: Pick<Test, 'teardown'>, undo: () => void): void {
  left.add(undo);
  t.teardown(() => left.delete(undo));
}

/**
 * Runs a command in a process group of its own; what is left of the group is killed after the test.
 * Started through env, which takes from its environment what tap gives to every child.
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
      // Nobody is left in it.
    }
  };
  const killLeft = () => toGroup('SIGKILL');
  undoAtExit(t, killLeft);
  t.teardown(async () => {
    killLeft();
    await ended;
  });
  return {
    pid,
    ended,
    async said(pattern, where = 'stdout') {
      const tooLate = AbortSignal.timeout(saidWithinMs);
      const late = once(tooLate, 'abort');
      for (;;) {
        const match = pattern.exec(printed[where]);
        if (match !== null) return match;
        if (outcome !== null) {
          throw new Error(
            `it ended without saying ${pattern}: ${JSON.stringify(outcome, null, 2)}`,
          );
        }
        if (tooLate.aborted) {
          throw new Error(
            `it did not say ${pattern} in ${saidWithinMs} ms: ${JSON.stringify(printed, null, 2)}`,
          );
        }
        await Promise.race([once(heard, 'change'), late]);
      }
    },
    write: (text) => void child.stdin?.write(text),
    kill: (signal) => void child.kill(signal),
    interrupt: () => toGroup('SIGINT'),
  };
}
