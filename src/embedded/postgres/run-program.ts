import { spawn } from 'node:child_process';
import type { SystemUser } from './system-user.ts';

/**
 * Environment of PostgreSQL's programs: no variables of ours, no PG* variable, English messages.
 */
export const cleanEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** initdb ends a long phase before it heeds a signal; its PostgreSQL ends at once. */
const killAfterMs = 2_000;

interface Outcome {
  /** Null if the program was killed or could not be started. */
  readonly exitCode: number | null;
  /** Both outputs, or the reason that the program could not be started. */
  readonly output: string;
}

/**
 * Runs a program to its end as `user`. The program gets a session of its own, so that Ctrl-C
 * reaches the service alone. The program runs in `/`, since that user may have no access to our
 * working directory. Never rejects. When `signal` is aborted, ends the program and its children.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  user: SystemUser | undefined,
  signal?: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: '/',
      env: cleanEnvironment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    let killing: NodeJS.Timeout | undefined;
    const onAbort = () => {
      endGroup(child.pid, 'SIGTERM');
      killing = setTimeout(() => endGroup(child.pid, 'SIGKILL'), killAfterMs);
    };
    const done = (outcome: Outcome) => {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(killing);
      resolve(outcome);
    };
    child.on('error', (error) => done({ exitCode: null, output: error.message }));
    child.on('close', (exitCode) => done({ exitCode, output }));
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
}

/** A detached program leads a group of its own, which its children belong to. */
function endGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // The group has ended.
  }
}
