import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StandaloneLedgerThreadOptions } from './options.ts';

export interface StandaloneLedgerThread {
  /** `ws://host:port`. */
  readonly url: string;
  readonly port: number;
  /** Ends the thread in good order. Harmless when repeated. */
  stop(): Promise<void>;
}

/** What the thread tells its owner. */
export type ThreadMessage =
  | { readonly status: 'ready'; readonly url: string; readonly port: number }
  | { readonly status: 'failed'; readonly message: string; readonly code: string | undefined };

/**
 * Runs a standalone ledger in a thread of its own, so that its cryptography does not hold up the
 * caller. Rejects as createStandaloneLedger does, with the same `code`. A ledger that breaks later
 * ends the process: nothing can be done without it.
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
  const [message]: ThreadMessage[] = await once(worker, 'message');
  if (message === undefined || message.status === 'failed') {
    await worker.terminate();
    throw Object.assign(new Error(message?.message), { code: message?.code });
  }
  return {
    url: message.url,
    port: message.port,
    async stop() {
      worker.postMessage('stop');
      await exited;
    },
  };
}
