import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { databaseUser } from './connection-file.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { syncFolder } from './replace-file.ts';
import { run } from './run.ts';
import type { SystemUser } from './system-user.ts';

export interface ClusterOptions {
  /** PostgreSQL's data folder; what it is in exists and `user` can enter it. */
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly user: SystemUser | undefined;
  readonly password: string;
  /** Locale and encoding. */
  readonly initdbArguments: readonly string[];
  readonly durable: boolean;
  /** It was there at an earlier start: DATA_MISSING if it is not, instead of beginning anew. */
  readonly expected: boolean;
}

/**
 * Makes PostgreSQL's data folder unless it is there. It is made under another name and renamed when
 * it is whole, so one that is there is whole, whenever the process is killed. The names differ
 * every time: a killed service's initdb may still be writing into its own.
 */
export async function initialiseCluster(options: ClusterOptions): Promise<void> {
  const { cluster, binaries, user, password, initdbArguments, durable, expected } = options;
  await removeUnfinished(cluster);
  const version = await versionOf(cluster);
  if (version !== undefined) {
    if (version === binaries.majorVersion) return;
    throw new EmbeddedPostgresError(
      'OTHER_MAJOR_VERSION',
      `${cluster} was made by PostgreSQL ${version}, this is PostgreSQL ${binaries.majorVersion}: dump it with version ${version} and restore it, or use that version`,
    );
  }
  if (expected) {
    throw new EmbeddedPostgresError(
      'DATA_MISSING',
      `PostgreSQL's data are gone from ${cluster}: restore them there, or choose another DATA_DIR to begin anew`,
    );
  }
  const unfinished = await mkdtemp(unfinishedPrefix(cluster));
  const passwordFile = join(unfinished, 'password');
  await chmod(unfinished, 0o700);
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user !== undefined) {
    await chown(passwordFile, user.uid, user.gid);
    await chown(unfinished, user.uid, user.gid);
  }
  const data = join(unfinished, 'data');
  const { exitCode, output } = await run(
    binaries.initdb,
    [
      `--pgdata=${data}`,
      `--username=${databaseUser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      ...initdbArguments,
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    user,
  );
  if (exitCode !== 0) {
    await removeUnfinished(cluster);
    throw new EmbeddedPostgresError(
      'INITDB_FAILED',
      `PostgreSQL's data folder ${cluster} could not be made: ${reason(output)}`,
    );
  }
  await rename(data, cluster);
  await syncFolder(dirname(cluster));
  await removeUnfinished(cluster);
}

/** Undefined where there is no data folder. */
export async function versionOf(cluster: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(join(cluster, 'PG_VERSION'), 'utf8'), 10);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(
      'FOLDER_NOT_OURS',
      `${cluster} belongs to another user: start as that user, or choose another DATA_DIR`,
      { cause },
    );
  }
}

function unfinishedPrefix(cluster: string): string {
  return `${cluster}.new-`;
}

async function removeUnfinished(cluster: string): Promise<void> {
  const folder = dirname(cluster);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const prefix = basename(unfinishedPrefix(cluster));
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    // An initdb that outlived its service may add files meanwhile; the next start tries again.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

function reason(output: string): string {
  const lines = output.trim().split('\n');
  const errors = lines.filter((line) => /error:|FATAL/.test(line));
  return (errors.length > 0 ? errors : lines).slice(-3).join(' ');
}
