import { run } from './run.ts';
import type { SystemUser } from './system-user.ts';

/** Asked of the system itself, which knows about every parent folder, ACLs and mounts. */
export async function canEnter(user: SystemUser | undefined, folder: string): Promise<boolean> {
  const { exitCode } = await run('/bin/sh', ['-c', 'cd -- "$0"', folder], user);
  return exitCode === 0;
}
