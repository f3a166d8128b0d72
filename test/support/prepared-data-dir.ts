import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Test } from 'tap';
import { readConnection, writeConnection } from '../../src/embedded/postgres/connection-file.ts';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { startHere, temporaryDataDir } from '../embedded/run-service.ts';
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

/** Written last into a prepared folder: the first key, or null. */
const marker = 'first-key.json';
const firstKeys = new Map<string, FirstKey>();

type Start = (t: Pick<Test, 'teardown'>, dataDir: string) => Promise<FirstKey | null>;

/** A kind of prepared DATA_DIR, and the folders of the project on which its content depends. */
interface Preparation {
  readonly name: string;
  readonly sources: readonly string[];
  readonly start: Start;
}

/**
 * A DATA_DIR of its own as a first start left it, which takes half as long to start on as an empty one. All
 * test files of a run copy the same one, which the first of them makes with `start`.
 */
export async function preparedDataDir(t: Pick<Test, 'teardown'>, start: Start): Promise<string> {
  const sources = ['migrations', 'projections', 'src'];
  const { dataDir, firstKey } = await copyPrepared(t, { name: 'program', sources, start });
  if (firstKey !== null) firstKeys.set(dataDir, firstKey);
  return dataDir;
}

/**
 * A DATA_DIR in which the embedded PostgreSQL was started once and stopped: its cluster has only the empty
 * database. Copying it takes a tenth of the processor time of initdb.
 */
export async function initialisedDataDir(t: Pick<Test, 'teardown'>): Promise<string> {
  const start: Start = async (t, dataDir) => {
    const postgres = await startHere(t, dataDir);
    await postgres.stop();
    return null;
  };
  const sources = ['src/embedded/postgres'];
  return (await copyPrepared(t, { name: 'cluster', sources, start })).dataDir;
}

/** The key that the first start of a prepared DATA_DIR printed; undefined if it is not prepared. */
export function firstKeyOf(dataDir: string): FirstKey | undefined {
  return firstKeys.get(dataDir);
}

async function copyPrepared(t: Pick<Test, 'teardown'>, preparation: Preparation) {
  const dataDir = await temporaryDataDir(t);
  const prepared = await provide(preparation);
  await copyAll(join(prepared, 'data'), dataDir);
  const firstKey: FirstKey | null = JSON.parse(await readFile(join(prepared, marker), 'utf8'));
  const connection = await readConnection(dataDir);
  if (connection === undefined) throw new Error(`no PostgreSQL was in ${prepared}`);
  await writeConnection(dataDir, { ...connection, port: await chooseFreePort() });
  return { dataDir, firstKey };
}

const provided = new Map<string, Promise<string>>();

function provide(preparation: Preparation): Promise<string> {
  const found = provided.get(preparation.name) ?? findOrMake(preparation);
  provided.set(preparation.name, found);
  return found;
}

async function findOrMake({ name, sources, start }: Preparation): Promise<string> {
  const admin = new pg.Client({ connectionString: await joinSharedPostgres() });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [lockId]);
    const digest = await digestOfFolders(sources);
    const folder = join(await sharedFolder(), 'data-dirs', `${name}-${digest}`);
    const isThere = await readFile(join(folder, marker)).catch(() => null);
    if (isThere === null) await make(folder, start);
    return folder;
  } finally {
    await admin.end();
  }
}

async function make(folder: string, start: Start): Promise<void> {
  const undo: (() => unknown)[] = [];
  const t = { teardown: (work: () => unknown) => void undo.unshift(work) };
  const unfinished = `${folder}.new`;
  try {
    const dataDir = await temporaryDataDir(t);
    const firstKey = await start(t, dataDir);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await copyAll(dataDir, join(unfinished, 'data'));
    await writeFile(join(unfinished, marker), JSON.stringify(firstKey));
    await rename(unfinished, folder);
  } finally {
    for (const work of undo) await work();
  }
}
