import { join } from 'node:path';
import { type CleanUp, createBenchFolder } from '../harness/clean-up.ts';
import { type HelperProcess, startHelper } from '../harness/helper-process.ts';
import {
  type LedgerProcess,
  type ServiceProcess,
  startLedger,
  startService,
  useLedger,
} from '../harness/programs.ts';
import { type Account, openTenant } from '../harness/tenant.ts';
import type { CallersOrders } from './callers-process.ts';
import type { SubmissionsOrders } from './submissions-process.ts';

/** Parts of a benchmark of proofs, each in a separate process. */
export interface ProofsSystem {
  readonly service: ServiceProcess;
  readonly ledger: LedgerProcess;
  readonly callers: HelperProcess<CallersOrders>;
  /** Counts submissions between service and ledger; null if they are not counted. */
  readonly submissions: HelperProcess<SubmissionsOrders> | null;
  readonly pids: Readonly<Record<'service' | 'postgres' | 'ledger' | 'callers', number>>;
  /** Account that proofs are posted with. */
  readonly account: Account;
  /** Anchoring accounts. */
  readonly addresses: readonly string[];
  /** Rejects if the service or the ledger ends. */
  readonly died: Promise<never>;
}

/**
 * Starts the ledger, the service with embedded PostgreSQL, and the process of the callers, which do
 * not post yet. With `external` it uses that ledger and those accounts. With `countsSubmissions` the
 * service reaches the ledger through a relay, which takes processor time.
 */
export async function startProofsSystem(
  options: {
    readonly accounts: number;
    readonly closeMs: number;
    readonly openLedgerLimit: number;
    readonly countsSubmissions?: boolean;
    readonly external?:
      | { readonly url: string; readonly seeds: readonly string[] }
      | null
      | undefined;
  },
  cleanUp: CleanUp,
): Promise<ProofsSystem> {
  const dataDir = await createBenchFolder(cleanUp);
  const { external = null } = options;
  const ledger =
    external === null
      ? await startLedger(join(dataDir, 'ledger'), options, cleanUp)
      : await useLedger(external.url, external.seeds);
  const parts = { ledger, dataDir: join(dataDir, 'service'), accounts: options.accounts };
  if (options.countsSubmissions !== true) return startProofsSystemOn(parts, cleanUp);
  const file = new URL('./submissions-process.ts', import.meta.url);
  const submissions = startHelper<SubmissionsOrders>(file, cleanUp);
  const settings = { XRPL_TESTNET_URL: await submissions.ask('start', { url: ledger.url }) };
  return { ...(await startProofsSystemOn({ ...parts, settings }, cleanUp)), submissions };
}

/** Opens the tenant in a first start, so that callers can begin when the next one is ready. */
async function openTenantBefore(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Account> {
  await using cleanUp = new AsyncDisposableStack();
  return await openTenant(await startService(dataDir, settings, cleanUp));
}

/** Starts the same parts on a running ledger. */
export async function startProofsSystemOn(
  options: {
    readonly ledger: LedgerProcess;
    /** The service's DATA_DIR. */
    readonly dataDir: string;
    /** Number of anchoring accounts. */
    readonly accounts: number;
    readonly settings?: Readonly<Record<string, string>>;
  },
  cleanUp: CleanUp,
): Promise<ProofsSystem> {
  const { ledger, dataDir, accounts, settings = {} } = options;
  const { seeds, addresses } = await ledger.fund(accounts);
  const anchoring = { XRPL_TESTNET_URL: ledger.url, XRPL_TESTNET_ACCOUNTS: seeds.join(',') };
  const all = { ...anchoring, ...settings };
  const callers = startHelper<CallersOrders>(
    new URL('./callers-process.ts', import.meta.url),
    cleanUp,
  );
  const tenant = await openTenantBefore(dataDir, all);
  const service = await startService(dataDir, all, cleanUp);
  const account = { ...tenant, address: service.address };
  const died = Promise.race([service.died, ledger.died]);
  died.catch(() => {});
  return {
    ...{ service, ledger, callers, account, addresses, died, submissions: null },
    pids: {
      ...{ service: service.pid, postgres: service.postgres.pid },
      ...{ ledger: ledger.pid, callers: callers.pid },
    },
  };
}
