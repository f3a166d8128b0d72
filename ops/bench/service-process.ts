import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readConnection } from '../../src/embedded/postgres/connection-file.ts';
import { readPostmasterFile } from '../../src/embedded/postgres/postmaster.ts';
import { root, startProgram } from './program-process.ts';

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

/** Starts it on this DATA_DIR and waits until it is ready. Its warnings go to stderr. */
export async function startService(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const plenty = { ADDRESS_REQUESTS_PER_MINUTE: '1000000000' };
  const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...plenty, ...settings };
  const pattern = /^Proofmark listens on (\S+)$/;
  const file = 'src/main.ts';
  const flags = flagsOfStart(file);
  const service = await startProgram({ name: 'service', file, env, pattern, flags });
  const { pid, found: address, died, stop } = service;
  try {
    await Promise.race([ready(address), died]);
    const { PATH = '' } = process.env;
    const operate = async (...args: readonly string[]) => {
      const all = [join(root, 'ops/cli.ts'), ...args, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, all, {
        env: { PATH, ...env },
      });
      return JSON.parse(stdout) as Record<string, string>;
    };
    return { address, pid, postgresPid: await postgresPidOf(dataDir), operate, died, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What `npm start` starts node with. */
function flagsOfStart(file: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, flags] = new RegExp(`^exec node (.*)${file}$`).exec(scripts.start) ?? [];
  if (flags === undefined) throw new Error(`npm start does not start ${file}`);
  return flags.split(' ').filter((flag) => flag !== '');
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
