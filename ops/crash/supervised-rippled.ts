import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'xrpl';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { progress } from '../bench/harness/progress.ts';
import { rippledConfiguration } from '../rippled/configuration.ts';
import { closeLedger, connectToRippled } from '../rippled/connect-to-rippled.ts';

/** A rippled without peers, restarted whenever it ends. It keeps every ledger that it closed. */
export interface SupervisedRippled {
  /** URL of its port for administrators. */
  readonly url: string;
  /** Index of the ledger that it began with. */
  readonly firstLedger: number;
  /**
   * Closes no more ledgers until the closed ones are on disk, then sends SIGKILL; false if none
   * runs. The next process starts after `awayMs`.
   */
  kill(awayMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

const closeMs = 1_000;
/**
 * rippled's NuDB writes once a second (its burst of inserts), so a SIGKILL within that time loses
 * ledgers that were validated. On a network other servers have them.
 */
const writtenWithinMs = 1_500;
const ownEndMs = 200;
const openLedgerLimit = 1_000;

/**
 * Starts it in this folder, which must not exist. A standalone rippled with `--start` keeps its
 * ledgers in temporary files, so a first process writes the first ledger to a file, and the others
 * load it, or the newest ledger.
 */
export async function superviseRippled(
  program: string,
  folder: string,
): Promise<SupervisedRippled> {
  const port = await chooseFreePort();
  const url = `ws://127.0.0.1:${port}`;
  const files = { configuration: join(folder, 'rippled.cfg'), ledger: join(folder, 'ledger.json') };
  await mkdir(join(folder, 'db'), { recursive: true });
  const settings = { folder, port, openLedgerLimit, nodeStore: 'NuDB' } as const;
  await writeFile(files.configuration, rippledConfiguration(settings));
  const start = (...how: readonly string[]) =>
    spawn(program, ['--standalone', ...how, '--conf', files.configuration], {
      detached: true,
      stdio: 'ignore',
    });

  const firstLedger = await writeFirstLedger(start('--start'), url, files.ledger);
  await rm(join(folder, 'db'), { recursive: true });
  await mkdir(join(folder, 'db'));

  let child: ChildProcess | null = null;
  let awayMs = ownEndMs;
  let isClosing = true;
  let starts = 0;
  const stopping = new AbortController();
  const { signal } = stopping;

  const closeLedgers = async (client: Client) => {
    while (client.isConnected()) {
      if (isClosing) await closeLedger(client).catch(() => {});
      await delay(closeMs, null, { signal });
    }
  };
  const runOnce = async (how: readonly string[], onReady: () => void) => {
    const running = start(...how);
    starts += 1;
    child = running;
    isClosing = true;
    const exited = once(running, 'exit');
    const client = await connectToRippled(url, exited).catch(() => null);
    if (client !== null) {
      client.on('error', () => {});
      onReady();
      await Promise.race([closeLedgers(client).catch(() => {}), exited]);
    } else running.kill('SIGKILL');
    const [code, ending] = await exited;
    child = null;
    await client?.disconnect().catch(() => {});
    progress(`rippled ended (${ending ?? code})`);
  };
  const isReady = Promise.withResolvers<void>();
  const running = (async () => {
    let how = ['--ledgerfile', files.ledger];
    while (!signal.aborted) {
      awayMs = ownEndMs;
      await runOnce(how, isReady.resolve);
      how = ['--load'];
      await delay(awayMs, null, { signal }).catch(() => {});
    }
  })();
  running.catch(isReady.reject);
  await isReady.promise;
  return {
    url,
    firstLedger,
    async kill(away) {
      const [chosen, start] = [child, starts];
      if (chosen === null || !isClosing) return false;
      isClosing = false;
      await delay(writtenWithinMs);
      if (child !== chosen || starts !== start) return false;
      awayMs = away;
      return chosen.kill('SIGKILL');
    },
    async stop() {
      stopping.abort();
      child?.kill('SIGTERM');
      await running;
    },
  };
}

/** Writes the newest ledger of a rippled to the file, then ends the rippled. Returns its index. */
async function writeFirstLedger(running: ChildProcess, url: string, file: string): Promise<number> {
  const exited = once(running, 'exit');
  try {
    const client = await connectToRippled(url, exited);
    await closeLedger(client);
    const answer = await client.request({
      command: 'ledger',
      ledger_index: 'validated',
      full: true,
      expand: true,
      api_version: 1,
    } as never);
    const { result } = answer as unknown as { result: { ledger: { ledger_index: number } } };
    await client.disconnect();
    await writeFile(file, JSON.stringify({ result }));
    return Number(result.ledger.ledger_index);
  } finally {
    running.kill('SIGTERM');
    await exited;
  }
}
