import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { generateSeed } from 'ripple-keypairs';
import { Client } from 'xrpl';
import { fundAccounts } from '../../../src/embedded/fund-accounts.ts';
import { readConnection, urlOf } from '../../../src/embedded/postgres/connection-file.ts';
import { chooseFreePort } from '../../../src/embedded/postgres/free-port.ts';
import { readPostmasterFile } from '../../../src/embedded/postgres/postmaster.ts';
import { createSeedSigner } from '../../../src/ledger/signer.ts';
import type { CleanUp } from './clean-up.ts';
import { inheritedVariables } from './inherited-variables.ts';

/** The service as `npm start` runs it, in a separate process. */
export interface ServiceProcess extends RunningProgram {
  readonly address: string;
  readonly dataDir: string;
  /** Embedded PostgreSQL of the service. */
  readonly postgres: { readonly url: string; readonly pid: number };
  /**
   * Runs an operator command with `--json` and returns its output. Rejects if the command fails.
   */
  operate(...args: readonly string[]): Promise<Readonly<Record<string, string>>>;
}

interface RunningProgram {
  readonly pid: number;
  /** Rejects if the program ends before it is stopped. */
  readonly died: Promise<never>;
}

const root = resolve(import.meta.dirname, '../../..');

/** Starts the service on this DATA_DIR and waits until it is ready. Its warnings go to stderr. */
export async function startService(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  cleanUp: CleanUp,
): Promise<ServiceProcess> {
  const plenty = { ADDRESS_REQUESTS_PER_MINUTE: '1000000000' };
  const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...plenty, ...settings };
  const pattern = /^Proofmark listens on (\S+)$/;
  const file = 'src/main.ts';
  const flags = flagsOfStart(file);
  const program = await startProgram({ name: 'service', file, env, pattern, flags }, cleanUp);
  const { pid, found: address, died } = program;
  await Promise.race([ready(address), died]);
  const operate = async (...args: readonly string[]) => {
    const all = [join(root, 'ops/cli.ts'), ...args, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, all, {
      env: { ...inheritedVariables(), ...env },
    });
    return JSON.parse(stdout) as Record<string, string>;
  };
  return { address, dataDir, pid, postgres: await postgresOf(dataDir), operate, died };
}

/** Flags that `npm start` passes to node. */
function flagsOfStart(file: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, flags] = new RegExp(`^exec node (.*)${file}$`).exec(scripts.start) ?? [];
  if (flags === undefined) throw new Error(`the start script of package.json does not run ${file}`);
  return flags.split(' ').filter((flag) => flag !== '');
}

async function ready(address: string): Promise<void> {
  while (!(await fetch(`${address}/readyz`).then((answer) => answer.ok))) await delay(100);
}

async function postgresOf(dataDir: string): Promise<ServiceProcess['postgres']> {
  const connection = await readConnection(dataDir);
  const found = connection && (await readPostmasterFile(resolve(dataDir, connection.cluster)));
  if (!found) throw new Error(`no PostgreSQL is running in ${dataDir}`);
  return { url: urlOf(connection), pid: found.pid };
}

/** The standalone ledger in a separate process, or a ledger that the benchmark did not start. */
export interface LedgerProcess extends RunningProgram {
  readonly url: string;
  /** First ledger of the benchmark's transactions. */
  readonly firstLedger: number;
  /** Creates and funds accounts; seeds and addresses have the same order. */
  fund(count: number): Promise<FundedAccounts>;
}

export interface FundedAccounts {
  readonly seeds: readonly string[];
  readonly addresses: readonly string[];
}

const fundingXrp = 100_000;

/** Starts the ledger. Above `openLedgerLimit` transactions per ledger, fees escalate. */
export async function startLedger(
  dataDir: string,
  { closeMs, openLedgerLimit }: { readonly closeMs: number; readonly openLedgerLimit: number },
  cleanUp: CleanUp,
): Promise<LedgerProcess> {
  const env = {
    DATA_DIR: dataDir,
    PORT: String(await chooseFreePort()),
    STANDALONE_CLOSE_MS: String(closeMs),
    OPEN_LEDGER_LIMIT: String(openLedgerLimit),
  };
  const pattern = /^Standalone ledger at (\S+),/;
  const file = 'ops/run-ledger.ts';
  const program = await startProgram({ name: 'ledger', file, env, pattern }, cleanUp);
  const { pid, found: url, died } = program;
  const fund = async (count: number) => {
    const seeds = Array.from({ length: count }, () => generateSeed({ algorithm: 'ed25519' }));
    const addresses = seeds.map((seed) => createSeedSigner(seed).address);
    await fundAccounts({ url, addresses, xrp: fundingXrp });
    return { seeds, addresses };
  };
  return { pid, url, firstLedger: firstValidated, died, fund };
}

/** Index of the first ledger that a standalone ledger validates. */
const firstValidated = 2;

/**
 * A ledger server that runs already, such as a rippled, with accounts that are funded there. `fund`
 * returns the same accounts each time. The processor time of the server is not measured (`pid` 0).
 */
export async function useLedger(url: string, seeds: readonly string[]): Promise<LedgerProcess> {
  const client = new Client(url);
  await client.connect();
  const { result } = await client.request({ command: 'server_info' });
  await client.disconnect();
  const firstLedger = (result.info.validated_ledger?.seq ?? firstValidated) + 1;
  const fund = async (count: number) => {
    const chosen = seeds.slice(0, count);
    return { seeds: chosen, addresses: chosen.map((seed) => createSeedSigner(seed).address) };
  };
  return { pid: 0, url, firstLedger, died: new Promise<never>(() => {}), fund };
}

/**
 * Starts a file below the project's root and waits until a line of its output matches; `found` is
 * the first group of the pattern. Its stderr goes to the benchmark's. Passes `NODE_OPTIONS` on, for
 * profiling.
 */
async function startProgram(
  options: {
    readonly name: string;
    readonly file: string;
    readonly env: Readonly<Record<string, string>>;
    readonly pattern: RegExp;
    /** Flags of node itself. */
    readonly flags?: readonly string[];
  },
  cleanUp: CleanUp,
): Promise<RunningProgram & { readonly found: string }> {
  const { name, file, env, pattern, flags = [] } = options;
  const { NODE_OPTIONS } = process.env;
  const child = spawn(process.execPath, [...flags, join(root, file)], {
    env: { ...inheritedVariables(), ...(NODE_OPTIONS && { NODE_OPTIONS }), ...env },
    // Ctrl-C then reaches only the benchmark, which stops the program gracefully.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let stopping = false;
  cleanUp.defer(async () => {
    stopping = true;
    child.kill('SIGTERM');
    await exited;
  });
  const died = exited.then(([code, signal]) => {
    if (stopping) return new Promise<never>(() => {});
    throw new Error(`the ${name} ended unexpectedly (${signal ?? code})`);
  });
  died.catch(() => {});
  const found = await Promise.race([matchIn(child, pattern), died]);
  const { pid } = child;
  if (pid === undefined) throw new Error(`the ${name} did not start`);
  return { pid, found, died };
}

function matchIn({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  if (stdout === null) throw new Error('the standard output of the program is not piped');
  return new Promise((found) => {
    createInterface(stdout).on('line', (line) => {
      const [, match] = pattern.exec(line) ?? [];
      if (match !== undefined) found(match);
    });
  });
}
