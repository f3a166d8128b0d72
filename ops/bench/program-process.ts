import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** A program of this project in a process of its own. */
export interface ProgramProcess {
  readonly pid: number;
  /** What the pattern's group matched in its output. */
  readonly found: string;
  /** Rejects if it ends before it is stopped. */
  readonly died: Promise<never>;
  /** In order, as SIGTERM does. */
  stop(): Promise<void>;
}

export const root = resolve(import.meta.dirname, '../..');

/**
 * Starts a file below the project's root and waits until a line of its output matches. Its stderr is
 * the benchmark's. `NODE_OPTIONS` is handed on, for profiling.
 */
export async function startProgram(options: {
  readonly name: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pattern: RegExp;
  /** Of node itself. */
  readonly flags?: readonly string[];
}): Promise<ProgramProcess> {
  const { name, file, env, pattern, flags = [] } = options;
  const { PATH = '', NODE_OPTIONS } = process.env;
  const child = spawn(process.execPath, [...flags, join(root, file)], {
    env: { PATH, ...(NODE_OPTIONS && { NODE_OPTIONS }), ...env },
    // Ctrl-C reaches the benchmark alone, which stops the program in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let stopping = false;
  const died = exited.then(([code, signal]) => {
    if (stopping) return new Promise<never>(() => {});
    throw new Error(`the ${name} ended by itself (${signal ?? code})`);
  });
  died.catch(() => {});
  const stop = async () => {
    stopping = true;
    child.kill('SIGTERM');
    await exited;
  };
  try {
    const found = await Promise.race([matchIn(child, pattern), died]);
    const { pid } = child;
    if (pid === undefined) throw new Error(`the ${name} did not start`);
    return { pid, found, died, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function matchIn({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  if (stdout === null) throw new Error('the output of the program is not read');
  return new Promise((found) => {
    createInterface(stdout).on('line', (line) => {
      const [, match] = pattern.exec(line) ?? [];
      if (match !== undefined) found(match);
    });
  });
}
