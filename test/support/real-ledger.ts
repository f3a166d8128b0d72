import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'xrpl';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import type { LedgerServer } from './anchoring-site.ts';

const { RIPPLED: program } = process.env;

/** Reason why tests against a real ledger server are skipped; false if they run. */
export const noRippled =
  program === undefined &&
  'NO LEDGER SERVER, so nothing is tested against a real one: name a rippled in RIPPLED';

const startMs = 30_000;

/** Starts the rippled of `RIPPLED` with a ledger of its own, which closes on demand. */
export async function startRippled(options: {
  /** Transactions that an open ledger takes at the base fee. */
  readonly openLedgerLimit: number;
}): Promise<LedgerServer> {
  if (program === undefined) throw new Error(String(noRippled));
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-rippled-'));
  const port = await chooseFreePort();
  const file = join(folder, 'rippled.cfg');
  await mkdir(join(folder, 'db'));
  await writeFile(file, configuration({ folder, port, ...options }));
  const child = spawn(program, ['--standalone', '--start', '--conf', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = `ws://127.0.0.1:${port}`;
  const client = new Client(url);
  const stop = async () => {
    await client.disconnect();
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await connect(client, exited);
  } catch (error) {
    await stop();
    throw error;
  }
  const close = async () => {
    const { result } = await client.request({ command: 'ledger_accept' } as never);
    const { ledger_current_index: open } = result as unknown as { ledger_current_index: number };
    return { ledgerIndex: open - 1 };
  };
  return { url, close, stop };
}

async function connect(client: Client, exited: Promise<unknown>): Promise<void> {
  let ended = false;
  exited.then(() => {
    ended = true;
  });
  const deadline = performance.now() + startMs;
  for (;;) {
    try {
      return await client.connect();
    } catch (error) {
      if (ended || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** The sections of rippled's configuration that a server without peers needs. */
function configuration(options: {
  readonly folder: string;
  readonly port: number;
  readonly openLedgerLimit: number;
}): string {
  const { folder, port, openLedgerLimit } = options;
  const sections = {
    server: 'own',
    own: `port = ${port}\nip = 127.0.0.1\nadmin = 127.0.0.1\nprotocol = ws`,
    network_id: '1',
    node_db: `type = memory\npath = ${join(folder, 'db')}`,
    database_path: join(folder, 'db'),
    debug_logfile: join(folder, 'debug.log'),
    ledger_history: 'full',
    ssl_verify: '0',
    transaction_queue: `minimum_txn_in_ledger_standalone = ${openLedgerLimit}`,
  };
  return Object.entries(sections)
    .map(([name, lines]) => `[${name}]\n${lines}\n`)
    .join('\n');
}
