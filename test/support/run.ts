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
  /** The first match of the pattern in what it prints, by default on stdout. Rejects if it ends without. */
  said(pattern: RegExp, where?: 'stdout' | 'stderr'): Promise<RegExpExecArray>;
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
}

/** For what is large, or must be on the disk of the project: temporary files may be in memory. */
export const folderOnDisk = process.env.TMPDIR_ON_DISK ?? tmpdir();

/** What is compiled once is not compiled again by every program that tests start. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/node-compile'),
};

/** A test's own process may be ended before its teardown, as after its time-out. */
const left = new Set<() => void>();
process.once('exit', () => {
  for (const kill of left) kill();
});

/**
 * Runs a command in a process group of its own; what is left of the group is killed after the test.
 * Started through env, which takes from its environment what tap gives to every child.
 */
export function run(
  t: Pick<Test, 'teardown'>,
  command: readonly string[],
  { env = {}, cwd = projectRoot, user }: RunOptions = {},
): Run {
  const variables = { PATH: process.env.PATH, HOME: folderOnDisk, ...compileCache, ...env };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const child = spawn('/usr/bin/env', ['-i', ...settings, ...command], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot run ${command.join(' ')}`);
  const heard = new EventTarget();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
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
  left.add(killLeft);
  t.teardown(async () => {
    killLeft();
    await ended;
    left.delete(killLeft);
  });
  return {
    pid,
    ended,
    async said(pattern, where = 'stdout') {
      for (;;) {
        const match = pattern.exec(printed[where]);
        if (match !== null) return match;
        if (outcome !== null) {
          throw new Error(
            `it ended without saying ${pattern}: ${JSON.stringify(outcome, null, 2)}`,
          );
        }
        await once(heard, 'change');
      }
    },
    kill: (signal) => void child.kill(signal),
    interrupt: () => toGroup('SIGINT'),
  };
}
