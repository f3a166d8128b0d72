import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ValidatorListPlace } from './create-standalone-ledger.ts';
import type { StandaloneLedgerThreadOptions } from './options.ts';
import type { LedgerThreadMessage } from './thread-message.ts';

interface StandaloneLedgerThread {
  /** `ws://host:port`. */
  readonly url: string;
  readonly port: number;
  readonly validatorList: ValidatorListPlace;
  /** Ends the thread in good order. Harmless if repeated. */
  stop(): Promise<void>;
}

/**
 * Runs a standalone ledger in a thread of its own, so that its cryptography does not block the
 * caller. Rejects like createStandaloneLedger, with the same `code`. A later failure of the ledger
 * ends the process, which cannot work without it.
 */
export async function startStandaloneLedgerThread(
  options: StandaloneLedgerThreadOptions = {},
): Promise<StandaloneLedgerThread> {
  const worker = new Worker(new URL('./ledger-thread.ts', import.meta.url), {
    workerData: options,
  });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  const [message]: LedgerThreadMessage[] = await once(worker, 'message');
  if (message === undefined || message.status === 'failed') {
    await worker.terminate();
    throw Object.assign(new Error(message?.message), { code: message?.code });
  }
  return {
    url: message.url,
    port: message.port,
    validatorList: message.validatorList,
    async stop() {
      worker.postMessage('stop');
      await exited;
    },
  };
}
