import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Test } from 'tap';
import { readConnection, writeConnection } from '../../src/embedded/postgres/connection-file.ts';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { temporaryDataDir } from '../embedded/run-service.ts';
import { digestOfFolders } from './digest-of-folders.ts';
import { joinSharedPostgres, sharedFolder } from './shared-postgres.ts';

/** Printed by the very first start. */
export interface FirstKey {
  readonly key: string;
  readonly workspace: string;
}

/** Any number; nothing else in the tests' PostgreSQL takes advisory locks on this database. */
const lockId = 4_712;
const copyAll = async (from: string, to: string) =>
  promisify(execFile)('cp', ['-a', from, to]).then(() => {});

const firstKeys = new Map<string, FirstKey>();

/**
 * A DATA_DIR of its own as a first start left it, which takes half as long to start on as an empty one. All
 * test files of a run copy the same one, which the first of them makes with `start`.
 */
export async function preparedDataDir(
  t: Pick<Test, 'teardown'>,
  start: (t: Pick<Test, 'teardown'>, dataDir: string) => Promise<FirstKey>,
): Promise<string> {
  const dataDir = await temporaryDataDir(t);
  const prepared = await provide(start);
  await copyAll(join(prepared, 'data'), dataDir);
  firstKeys.set(dataDir, JSON.parse(await readFile(join(prepared, 'first-key.json'), 'utf8')));
  const connection = await readConnection(dataDir);
  if (connection === undefined) throw new Error(`no PostgreSQL was in ${prepared}`);
  await writeConnection(dataDir, { ...connection, port: await chooseFreePort() });
  return dataDir;
}

/** The key that the first start of a prepared DATA_DIR printed; undefined if it is not prepared. */
export function firstKeyOf(dataDir: string): FirstKey | undefined {
  return firstKeys.get(dataDir);
}

let provided: Promise<string> | undefined;

function provide(start: Parameters<typeof preparedDataDir>[1]): Promise<string> {
  provided ??= findOrMake(start);
  return provided;
}

async function findOrMake(start: Parameters<typeof preparedDataDir>[1]): Promise<string> {
  const admin = new pg.Client({ connectionString: await joinSharedPostgres() });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [lockId]);
    const digest = await digestOfFolders(['migrations', 'projections', 'src']);
    const folder = join(await sharedFolder(), 'data-dirs', digest);
    const isThere = await readFile(join(folder, 'first-key.json')).catch(() => null);
    if (isThere === null) await make(folder, start);
    return folder;
  } finally {
    await admin.end();
  }
}

async function make(folder: string, start: Parameters<typeof preparedDataDir>[1]): Promise<void> {
  const undo: (() => unknown)[] = [];
  const t = { teardown: (work: () => unknown) => void undo.unshift(work) };
  const unfinished = `${folder}.new`;
  try {
    const dataDir = await temporaryDataDir(t);
    const firstKey = await start(t, dataDir);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await copyAll(dataDir, join(unfinished, 'data'));
    await writeFile(join(unfinished, 'first-key.json'), JSON.stringify(firstKey));
    await rename(unfinished, folder);
  } finally {
    for (const work of undo) await work();
  }
}
