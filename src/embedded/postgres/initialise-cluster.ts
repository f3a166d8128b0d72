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
import { syncFolder } from '../../files/sync-folder.ts';
import type { Binaries } from './binaries.ts';
import { databaseUser } from './connection-file.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram } from './run-program.ts';
import type { SystemUser } from './system-user.ts';

interface ClusterOptions {
  /** PostgreSQL's data folder; its parent exists and `user` can enter it. */
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly user: SystemUser | undefined;
  readonly password: string;
  /** Locale and encoding. */
  readonly initdbArguments: readonly string[];
  readonly durable: boolean;
  /** True if an earlier start made the folder: a missing one then throws DATA_MISSING. */
  readonly expected: boolean;
  /** Aborted: ends initdb, and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Makes PostgreSQL's data folder unless it exists. Renamed when complete, so an existing folder is
 * never partial. Each attempt uses another temporary name: the initdb of a killed service may still
 * be writing.
 */
export async function initialiseCluster(options: ClusterOptions): Promise<void> {
  const { cluster, binaries, user, password, initdbArguments, durable, expected, signal } = options;
  await removeUnfinished(cluster);
  const version = await versionOf(cluster);
  if (version !== undefined) {
    if (version === binaries.majorVersion) return;
    throw new EmbeddedPostgresError(
      'OTHER_MAJOR_VERSION',
      `${cluster} was created by PostgreSQL ${version}, but this is PostgreSQL ${binaries.majorVersion}: dump it with version ${version} and restore it, or use that version`,
    );
  }
  if (expected) {
    throw new EmbeddedPostgresError(
      'DATA_MISSING',
      `PostgreSQL's data are missing from ${cluster}: restore them there, or choose another DATA_DIR to start empty`,
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
  const { exitCode, output } = await runProgram(
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
    signal,
  );
  if (exitCode !== 0) {
    await removeUnfinished(cluster);
    signal?.throwIfAborted();
    throw new EmbeddedPostgresError(
      'INITDB_FAILED',
      `PostgreSQL's data folder ${cluster} could not be created: ${reason(output)}`,
    );
  }
  await rename(data, cluster);
  await syncFolder(dirname(cluster));
  await removeUnfinished(cluster);
}

/** Undefined if there is no data folder. */
async function versionOf(cluster: string): Promise<number | undefined> {
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
    // An initdb that outlived its service may add files meanwhile; the next start retries.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

function reason(output: string): string {
  const lines = output.trim().split('\n');
  const errors = lines.filter((line) => /error:|FATAL/.test(line));
  return (errors.length > 0 ? errors : lines).slice(-3).join(' ');
}
