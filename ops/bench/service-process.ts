import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readConnection } from '../../src/embedded/postgres/connection-file.ts';
import { readPostmasterFile } from '../../src/embedded/postgres/postmaster.ts';

/** The program as `npm start` runs it, in a process of its own. */
export interface ServiceProcess {
  readonly address: string;
  readonly pid: number;
  /** Of its embedded PostgreSQL. */
  readonly postgresPid: number;
  /** The only output of the operator's command with `--json`. Rejects if it fails. */
  operate(...args: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Rejects if it ends before it is stopped. */
  readonly died: Promise<never>;
  /** In order, as SIGTERM does. */
  stop(): Promise<void>;
}

const root = resolve(import.meta.dirname, '../..');

/** Starts it on this DATA_DIR and waits until it is ready. Its warnings go to stderr. */
export async function startService(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const { PATH = '' } = process.env;
  const env = { PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...settings };
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    env,
    // Ctrl-C reaches the benchmark alone, which stops the service in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let stopping = false;
  const died = exited.then(([code, signal]) => {
    if (stopping) return new Promise<never>(() => {});
    throw new Error(`the service ended by itself (${signal ?? code})`);
  });
  died.catch(() => {});
  const stop = async () => {
    stopping = true;
    child.kill('SIGTERM');
    await exited;
  };
  try {
    const address = await Promise.race([addressOf(child), died]);
    await Promise.race([ready(address), died]);
    const operate = async (...args: readonly string[]) => {
      const all = [join(root, 'ops/cli.ts'), ...args, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, all, { env });
      return JSON.parse(stdout) as Record<string, string>;
    };
    const { pid } = child;
    if (pid === undefined) throw new Error('the service did not start');
    return { address, pid, postgresPid: await postgresPidOf(dataDir), operate, died, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the output of the service is not read');
  return new Promise((found) => {
    createInterface(stdout).on('line', (line) => {
      const [, address] = /^Proofmark listens on (\S+)$/.exec(line) ?? [];
      if (address !== undefined) found(address);
    });
  });
}

async function ready(address: string): Promise<void> {
  while (!(await fetch(`${address}/readyz`).then((answer) => answer.ok))) await delay(100);
}

async function postgresPidOf(dataDir: string): Promise<number> {
  const connection = await readConnection(dataDir);
  const found = connection && (await readPostmasterFile(resolve(dataDir, connection.cluster)));
  if (!found) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  return found.pid;
}
