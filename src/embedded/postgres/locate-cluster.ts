import { randomBytes } from 'node:crypto';
import { chmod, chown, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { replaceFile } from '../../files/replace-file.ts';
import {
  type Connection,
  newPassword,
  readConnection,
  writeConnection,
} from './connection-file.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { chooseFreePort } from './free-port.ts';
import { createReachableDir } from './reachable-dir.ts';
import { runProgram } from './run-program.ts';
import { choosePostgresUser, type SystemUser } from './system-user.ts';

interface ClusterLocation {
  readonly user: SystemUser | undefined;
  readonly connection: Connection;
  /** PostgreSQL's data folder, absolute; possibly missing, but in an existing folder. */
  readonly cluster: string;
}

/**
 * Location of this DATA_DIR's data, and the user who runs PostgreSQL on them; decided at the first
 * start and kept in DATA_DIR. The data are in DATA_DIR if PostgreSQL's user can be given access.
 * Otherwise (root with a DATA_DIR below a closed folder, such as /root) they are in a folder of
 * `reachableDir`.
 */
export async function locateCluster(
  dataDir: string,
  reachableDir: string,
): Promise<ClusterLocation> {
  const known = await readConnection(dataDir);
  if (known === undefined) return chooseLocation(dataDir, reachableDir);
  const cluster = resolve(dataDir, known.cluster);
  const user = await choosePostgresUser(await stat(cluster).catch(() => undefined));
  await claim(dataDir, cluster);
  if (!(await letIn(user, dirname(cluster), dataDir))) throw closedTo(user, dirname(cluster));
  return { user, connection: known, cluster };
}

async function chooseLocation(dataDir: string, reachableDir: string): Promise<ClusterLocation> {
  const user = await choosePostgresUser();
  const inside = await letIn(user, dataDir, dataDir);
  const folder = inside ? dataDir : join(reachableDir, randomBytes(6).toString('hex'));
  const cluster = join(folder, 'postgres');
  if (!inside) {
    await createReachableDir(reachableDir);
    await createReachableDir(folder);
    if (!(await canEnter(user, folder))) throw closedTo(user, folder);
    await claim(dataDir, cluster);
  }
  const connection: Connection = {
    port: await chooseFreePort(),
    password: newPassword(),
    cluster: inside ? 'postgres' : cluster,
    initialised: false,
  };
  await writeConnection(dataDir, connection);
  return { user, connection, cluster };
}

function closedTo(user: SystemUser | undefined, folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'FOLDER_UNREACHABLE',
    `PostgreSQL has to run as ${user?.name}, who cannot enter ${folder}: let that user into each of its parent folders (chmod o+x), start as an ordinary user, or set DATABASE_URL`,
  );
}

/**
 * Returns true if the user can enter the folder. Opens DATA_DIR itself to the user's group if
 * nothing else denies access: the user may then enter, but not list it.
 */
async function letIn(
  user: SystemUser | undefined,
  folder: string,
  dataDir: string,
): Promise<boolean> {
  if (user === undefined || (await canEnter(user, folder))) return true;
  const { uid, mode } = await stat(dataDir);
  const closedByUs = uid === 0 && (mode & 0o077) === 0;
  if (folder !== dataDir || !closedByUs || !(await canEnter(user, dirname(folder)))) return false;
  await chown(folder, 0, user.gid);
  await chmod(folder, 0o710);
  return canEnter(user, folder);
}

/**
 * Records the owner of data outside DATA_DIR, so that a copy of a DATA_DIR cannot run on the data
 * of its original. A moved DATA_DIR keeps its data.
 */
async function claim(dataDir: string, cluster: string): Promise<void> {
  if (cluster.startsWith(join(dataDir, '/'))) return;
  const file = join(dirname(cluster), 'data-dir');
  const holder = (await readFile(file, 'utf8').catch(() => '')).trim();
  const ours = await realpath(dataDir);
  if (holder === ours) return;
  const other = holder && (await readConnection(holder).catch(() => undefined));
  if (other && other.cluster === cluster) {
    throw new EmbeddedPostgresError(
      'FOLDER_NOT_OURS',
      `The data in ${cluster} belong to DATA_DIR ${holder}, of which ${dataDir} is a copy: choose another DATA_DIR`,
    );
  }
  await createReachableDir(dirname(cluster));
  await replaceFile(file, `${ours}\n`, 0o600);
}

/** Asks the system itself, which knows every parent folder, ACL and mount. */
async function canEnter(user: SystemUser | undefined, folder: string): Promise<boolean> {
  const { exitCode } = await runProgram('/bin/sh', ['-c', 'cd -- "$0"', folder], user);
  return exitCode === 0;
}
