import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** The user who runs PostgreSQL; undefined stands for the user of this process. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Chooses the user for PostgreSQL, which refuses to run as root. Root chooses the owner of existing
 * data, else `postgres`, else `nobody`: initdb needs a user with a passwd entry, and every system
 * has `nobody`. An ordinary user runs PostgreSQL as itself.
 */
export async function choosePostgresUser(
  dataOwner?: Pick<SystemUser, 'uid' | 'gid'>,
): Promise<SystemUser | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  if (dataOwner !== undefined && dataOwner.uid !== 0) {
    const { uid, gid } = dataOwner;
    return { name: users.find((user) => user.uid === uid)?.name ?? `user ${uid}`, uid, gid };
  }
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((candidate) => candidate.name === name);
    if (user !== undefined) return user;
  }
  throw new EmbeddedPostgresError(
    'NO_UNPRIVILEGED_USER',
    'PostgreSQL does not run as root, and there is neither a user postgres nor nobody to run it: add one, start as an ordinary user, or set DATABASE_URL',
  );
}

function parsePasswd(text: string): SystemUser[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && uid > 0 && Number.isInteger(gid));
}
