import { join } from 'node:path';
import { createBenchFolder } from './bench-folder.ts';
import type { CallersOrders } from './callers-process.ts';
import type { CleanUp } from './clean-up.ts';
import { type HelperProcess, startHelper } from './helper-process.ts';
import { type LedgerProcess, startLedger } from './ledger-process.ts';
import { openAccount } from './open-account.ts';
import { postgresVersion } from './postgres-version.ts';
import type { Pids } from './processor-times.ts';
import type { Account } from './proof-caller.ts';
import { type ServiceProcess, startService } from './service-process.ts';

/** What a benchmark of proofs measures, each part in a process of its own. */
export interface ProofsSystem {
  readonly service: ServiceProcess;
  readonly ledger: LedgerProcess;
  readonly callers: HelperProcess<CallersOrders>;
  readonly pids: Pids;
  /** Whom the proofs are posted for. */
  readonly account: Account;
  /** The accounts that proofs are anchored from. */
  readonly addresses: readonly string[];
  /** The service's DATA_DIR. */
  readonly dataDir: string;
  readonly postgresVersion: string;
  /** Rejects if one of the parts ends. */
  readonly died: Promise<never>;
}

export interface ProofsSystemOptions {
  readonly accounts: number;
  readonly closeMs: number;
  readonly openLedgerLimit: number;
}

/** The ledger, the service with embedded PostgreSQL, and the callers, who are still to start. */
export async function startProofsSystem(
  { accounts, closeMs, openLedgerLimit }: ProofsSystemOptions,
  cleanUp: CleanUp,
): Promise<ProofsSystem> {
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const ledger = await startLedger(join(dataDir, 'ledger'), { closeMs, openLedgerLimit });
  cleanUp.defer(() => ledger.stop());
  const { seeds, addresses } = await ledger.fund(accounts);
  const serviceDir = join(dataDir, 'service');
  const service = await startService(serviceDir, {
    XRPL_TESTNET_URL: ledger.url,
    XRPL_TESTNET_ACCOUNTS: seeds.join(','),
  });
  cleanUp.defer(() => service.stop());
  const account = await openAccount(service);
  const callers = startHelper<CallersOrders>('callers-process.ts');
  cleanUp.defer(() => callers.stop());
  const died = Promise.race([service.died, ledger.died]);
  died.catch(() => {});
  return {
    service,
    ledger,
    callers,
    pids: {
      service: service.pid,
      postgres: service.postgresPid,
      ledger: ledger.pid,
      callers: callers.pid,
    },
    account,
    addresses,
    dataDir: serviceDir,
    postgresVersion: await postgresVersion(serviceDir),
    died,
  };
}
