import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'xrpl';
import { rippledConfiguration } from '../../ops/rippled/configuration.ts';
import { closeLedger, connectToRippled } from '../../ops/rippled/connect-to-rippled.ts';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import type { LedgerServer } from './anchoring-site.ts';

const { RIPPLED: program } = process.env;

/** Reason why tests against a real ledger server are skipped; false if they run. */
export const noRippled =
  program === undefined &&
  'NO LEDGER SERVER, so nothing is tested against a real one: name a rippled in RIPPLED';

/** A rippled of its own, with a port for administrators (`url`) and one for strangers. */
export interface RealLedger extends LedgerServer {
  readonly publicUrl: string;
}

/** Starts the rippled of `RIPPLED` with a ledger of its own, which closes on demand. */
export async function startRippled(options: {
  /** Transactions that an open ledger takes at the base fee. */
  readonly openLedgerLimit: number;
  /** Maximum of that limit; by default it grows with the traffic. */
  readonly openLedgerMaximum?: number;
}): Promise<RealLedger> {
  if (program === undefined) throw new Error(String(noRippled));
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-rippled-'));
  const [port, publicPort] = [await chooseFreePort(), await chooseFreePort()];
  const file = join(folder, 'rippled.cfg');
  await mkdir(join(folder, 'db'));
  const settings = { folder, port, publicPort, nodeStore: 'memory', ...options } as const;
  await writeFile(file, rippledConfiguration(settings));
  const child = spawn(program, ['--standalone', '--start', '--conf', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = `ws://127.0.0.1:${port}`;
  let client: Client | undefined;
  const stop = async () => {
    await client?.disconnect();
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    client = await connectToRippled(url, exited);
  } catch (error) {
    await stop();
    throw error;
  }
  const closing = client;
  const close = async () => ({ ledgerIndex: await closeLedger(closing) });
  return { url, publicUrl: `ws://127.0.0.1:${publicPort}`, close, stop };
}
