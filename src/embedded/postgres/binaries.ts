import { chmod, cp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../files/sync-folder.ts';
import { isAlive } from '../is-alive.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { createReachableDir } from './reachable-dir.ts';
import { runProgram } from './run-program.ts';
import type { SystemUser } from './system-user.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly majorVersion: number;
}

/**
 * PostgreSQL's programs, executable by `user`: those in node_modules, or a copy in `reachableDir`
 * if the user has no access (a project under /root). The copy is made once per version.
 */
export async function provideBinaries(
  user: SystemUser | undefined,
  reachableDir: string,
): Promise<Binaries> {
  const { name, version, folder } = locatePackage();
  const native = join(folder, 'native');
  const bin = join(native, 'bin');
  const inPlace = await probe(bin, user);
  if (inPlace.binaries !== undefined) return inPlace.binaries;
  if (user === undefined || (await probe(bin, undefined)).binaries === undefined) {
    throw new EmbeddedPostgresError(
      'BINARIES_INCOMPLETE',
      `The PostgreSQL of ${name} does not start (${inPlace.reason}): its install script was probably skipped; run "node scripts/hydrate-symlinks.js" in ${folder}, or set DATABASE_URL`,
    );
  }
  const copy = join(reachableDir, `postgres-${version}-${basename(folder)}`);
  await createReachableDir(reachableDir);
  const copyAndProbe = async () => {
    await copyOnce(native, copy);
    return probe(join(copy, 'bin'), user);
  };
  let copied = await copyAndProbe();
  // Twice, because a neighbour may run from the copy, and the machine may lack memory for a moment.
  if (copied.binaries === undefined) copied = await copyAndProbe();
  if (copied.binaries === undefined) {
    // An earlier release did not sync its copy, so a power failure may have left empty files.
    const damaged = `${copy}.damaged-${process.pid}`;
    await rename(copy, damaged);
    copied = await copyAndProbe().finally(() => rm(damaged, { recursive: true, force: true }));
  }
  if (copied.binaries !== undefined) return copied.binaries;
  throw new EmbeddedPostgresError(
    'FOLDER_UNREACHABLE',
    `PostgreSQL has to run as ${user.name}, who can run it neither in ${native} nor in ${copy} (${copied.reason}): start as an ordinary user, or set DATABASE_URL`,
  );
}

function locatePackage(): { name: string; version: string; folder: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const folder = dirname(dirname(require.resolve(name)));
    const { version } = require(join(folder, 'package.json')) as { version: string };
    return { name, version, folder };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'BINARIES_MISSING',
      `There is no PostgreSQL for this machine: the optional package ${name} is not installed; run npm ci (without --omit=optional), or set DATABASE_URL`,
      { cause },
    );
  }
}

type Probe =
  | { readonly binaries: Binaries }
  | { readonly binaries: undefined; readonly reason: string };

/**
 * The programs in a folder, or the reason why `user` cannot run them. Runs `postgres --version`,
 * which loads all libraries.
 */
export async function probe(folder: string, user: SystemUser | undefined): Promise<Probe> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const postgres = join(folder, `postgres${suffix}`);
  const { exitCode, output } = await runProgram(postgres, ['--version'], user);
  const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1]);
  if (exitCode !== 0 || !Number.isInteger(majorVersion)) {
    return { binaries: undefined, reason: output.trim() };
  }
  const initdb = join(folder, `initdb${suffix}`);
  return { binaries: { postgres, initdb, majorVersion } };
}

/** Copies under another name, syncs, then renames, so that an existing copy is complete. */
async function copyOnce(native: string, copy: string): Promise<void> {
  if (await exists(copy)) return;
  await removeUnfinished(copy);
  const unfinished = `${copy}.new-${process.pid}`;
  await cp(native, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a'),
  });
  await openToAll(unfinished);
  await rename(unfinished, copy).catch(async (cause: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(copy))) throw cause;
  });
  await syncFolder(dirname(copy));
}

/** Removes the copies of killed starts. Another project may be making one right now. */
async function removeUnfinished(copy: string): Promise<void> {
  const prefix = `${basename(copy)}.new-`;
  for (const name of await readdir(dirname(copy))) {
    const pid = Number(name.slice(prefix.length));
    if (!name.startsWith(prefix) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(dirname(copy), name), { recursive: true, force: true });
  }
}

/**
 * Opens the copy to other users, since its files may have been installed under a umask that denies them
 * access, and syncs it.
 */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
    if (entry.isDirectory()) await syncFolder(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFolder(folder);
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
