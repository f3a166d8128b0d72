import { join } from 'node:path';
import type { Test } from 'tap';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { query, temporaryDataDir } from '../embedded/run-service.ts';
import { watchFetch } from './contract/watch-fetch.ts';
import { type FirstKey, firstKeyOf, preparedDataDir } from './prepared-data-dir.ts';
import { isCovered, projectRoot, type Run, type RunOptions, run } from './run.ts';
import { until } from './until.ts';
import { runWarm } from './warm-program.ts';

/** The running program of `npm start`, and its address. */
export interface Program extends Run {
  readonly address: string;
  readonly dataDir: string;
}

export interface ProgramOptions extends RunOptions {
  /** Command to run in place of `node src/main.ts` of this project. */
  readonly command?: readonly string[];
  /** True for a process in which nothing ran before. */
  readonly alone?: boolean;
}

/** Parts of the message that the very first start prints for the operator. */
export interface Welcome extends FirstKey {
  /** The whole command line with curl. */
  readonly curl: string;
}

/** Closes ledgers quickly, and logs only problems. */
const defaults = {
  PORT: '0',
  METRICS_PORT: 'off',
  STANDALONE_CLOSE_MS: '250',
  CHECKPOINT_INTERVAL_MS: '200',
  LOG_LEVEL: 'warn',
};

/** A DATA_DIR for tests of the first start. After the test PostgreSQL is stopped and the folder removed. */
export const emptyDataDir = temporaryDataDir;

/** A DATA_DIR for all other tests, as a first start left it. `firstKey` has the key of that start. */
export function newDataDir(t: Pick<Test, 'teardown'>): Promise<string> {
  return preparedDataDir(t, async (t, dataDir) => {
    const program = await startProgram(t, { DATA_DIR: dataDir });
    const { key, workspace } = await welcomeOf(program);
    const { code, stderr } = await stop(program);
    if (code !== 0) throw new Error(`the first start ended with ${code}: ${stderr}`);
    return { key, workspace };
  });
}

/**
 * Runs the program with these variables. It may exit with an error. Without options it may share its process
 * with runs of this test file that have ended.
 */
export function runProgram(
  t: Pick<Test, 'teardown'>,
  env: Readonly<Record<string, string>>,
  { command, alone = false, ...options }: ProgramOptions = {},
): Run {
  const variables = { ...defaults, ...options.env, ...env };
  if (!alone && command === undefined && Object.keys(options).length === 0 && !isCovered) {
    return runWarm(t, variables);
  }
  const program = command ?? [process.execPath, join(projectRoot, 'src/main.ts')];
  return run(t, program, { ...options, env: variables });
}

/** Starts the program; resolves when it is ready. */
export async function startProgram(
  t: Pick<Test, 'teardown'>,
  env: Readonly<Record<string, string>>,
  {
    unready = false,
    ...options
  }: ProgramOptions & {
    /** True if listening is enough, without waiting for readiness. */
    readonly unready?: boolean;
  } = {},
): Promise<Program> {
  const running = runProgram(t, env, options);
  const [, address = ''] = await running.said(/^Proofmark listens on (\S+)$/m);
  watchFetch(address, running.ended);
  const program = { ...running, address, dataDir: env.DATA_DIR ?? '' };
  if (unready) return program;
  await ready(address).catch(async (cause) => {
    running.kill('SIGKILL');
    const outcome = await running.ended;
    throw new Error(`it did not become ready: ${JSON.stringify(outcome, null, 2)}`, { cause });
  });
  return program;
}

/** Resolves when `GET /readyz` answers 200. */
export async function ready(address: string): Promise<void> {
  await until(`${address} is ready`, async () => (await fetch(`${address}/readyz`)).ok);
}

/** The key that the first start on its DATA_DIR made, of this program or of an earlier one. */
export async function firstKey(program: Program): Promise<FirstKey> {
  return firstKeyOf(program.dataDir) ?? (await welcomeOf(program));
}

export async function welcomeOf(program: Program): Promise<Welcome> {
  const [curl] = await program.said(/(?<=^ {2})curl .*(?=\n)/m);
  const [, key = ''] = await program.said(/^ {2}(svc_live_\S+)$/m);
  const [, workspace = ''] = await program.said(/"workspace":"(\w+)"/);
  return { key, curl, workspace };
}

/** Stops the program with SIGTERM; resolves with its outcome. */
export function stop(running: Run): Run['ended'] {
  running.kill('SIGTERM');
  return running.ended;
}

/** Number of events of this type in the log of the program on this DATA_DIR. */
export async function countEvents(dataDir: string, type: string): Promise<number> {
  const postgres = await findEmbeddedPostgres({ dataDir });
  if (postgres === null) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  return countEventsAt(postgres.url, type);
}

export async function countEventsAt(databaseUrl: string, type: string): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM events WHERE type = '${type}'`;
  const [row] = await query(databaseUrl, text);
  return Number(row?.count);
}
