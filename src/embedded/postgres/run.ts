import { spawn } from 'node:child_process';
import type { SystemUser } from './system-user.ts';

/** What PostgreSQL's programs get to see: nothing of ours, no PG* variable, messages in English. */
export const cleanEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export interface Outcome {
  /** Null when it was killed or could not be started. */
  readonly exitCode: number | null;
  /** Both outputs, or why it could not be started; at most some kilobytes of it are of interest. */
  readonly output: string;
}

/**
 * Runs a program to its end as `user`, in a session of its own (a Ctrl-C in the terminal is for
 * the service alone) and from `/` (the folder we are in may be closed to that user). Never rejects.
 */
export function run(
  program: string,
  args: readonly string[],
  user: SystemUser | undefined,
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
    child.on('error', (error) => resolve({ exitCode: null, output: error.message }));
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}
