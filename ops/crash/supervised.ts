import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inheritedVariables } from '../bench/harness/inherited-variables.ts';
import { progress } from '../bench/harness/progress.ts';

/** A program of this project, restarted whenever it ends, until it is stopped. */
export interface Supervised {
  readonly name: string;
  /**
   * Match of the pattern's first group in the output of the running process; null while it starts.
   */
  found(): string | null;
  /** Number of processes so far. */
  starts(): number;
  /** Sends SIGKILL; false if none runs. The next process starts after `awayMs`. */
  kill(awayMs: number): boolean;
  /**
   * Sends SIGSTOP, and SIGCONT after `ms` if the process was not killed meanwhile; false if none
   * runs.
   */
  freeze(ms: number): boolean;
  frozen(): boolean;
  /** Stops the program with SIGTERM and no restart; kills it if that takes too long. */
  stop(): Promise<void>;
}

export interface Supervision {
  readonly name: string;
  /** Path below the project's root. */
  readonly file: string;
  readonly env: () => Readonly<Record<string, string>>;
  /** Pattern in the output; `found` returns its first group. */
  readonly pattern: RegExp;
}

const root = resolve(import.meta.dirname, '../..');
const ownEndMs = 200;
const stopEndsMs = 12_000;

export function supervise({ name, file, env, pattern }: Supervision): Supervised {
  let child: ChildProcess | null = null;
  let found: string | null = null;
  let starts = 0;
  let awayMs = ownEndMs;
  let thawing: NodeJS.Timeout | null = null;
  const stopping = new AbortController();
  const thaw = () => {
    if (thawing === null) return;
    clearTimeout(thawing);
    thawing = null;
    child?.kill('SIGCONT');
    progress(`${name} continues after its freeze`);
  };
  const runOnce = async () => {
    starts += 1;
    const running = spawn(
      process.execPath,
      ['--disable-warning=DeprecationWarning', join(root, file)],
      {
        env: { ...inheritedVariables(), ...env() },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child = running;
    let output = '';
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (found === null) output += text;
      found ??= pattern.exec(output)?.[1] ?? null;
    });
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trimEnd().split('\n')) progress(`  ${name}: ${line.slice(0, 400)}`);
    });
    const [code, signal] = await once(running, 'exit');
    child = null;
    found = null;
    clearTimeout(thawing ?? undefined);
    thawing = null;
    progress(`${name} ended (${signal ?? code})`);
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      awayMs = ownEndMs;
      await runOnce();
      await delay(awayMs, null, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    name,
    found: () => found,
    starts: () => starts,
    kill(away) {
      awayMs = away;
      return child?.kill('SIGKILL') ?? false;
    },
    freeze(ms) {
      if (thawing !== null || child?.kill('SIGSTOP') !== true) return false;
      thawing = setTimeout(thaw, ms);
      return true;
    },
    frozen: () => thawing !== null,
    async stop() {
      stopping.abort();
      thaw();
      child?.kill('SIGTERM');
      const late = setTimeout(() => child?.kill('SIGKILL'), stopEndsMs);
      await running;
      clearTimeout(late);
    },
  };
}
