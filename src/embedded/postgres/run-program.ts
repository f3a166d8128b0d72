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

interface Outcome {
  /** Null if the program was killed or could not be started. */
  readonly exitCode: number | null;
  /** Both outputs, or the reason that the program could not be started. */
  readonly output: string;
}

/**
 * Runs a program to its end as `user`. The program gets a session of its own, so that Ctrl-C
 * reaches the service alone. The program runs in `/`, since that user may have no access to our
 * working directory. Never rejects. Ends the program by SIGTERM when `signal` is aborted.
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
      ...(signal && { signal }),
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    child.on('error', (error) => {
      // A program that was started and is now ended still writes: wait for its end.
      if (child.pid === undefined) resolve({ exitCode: null, output: error.message });
    });
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}
