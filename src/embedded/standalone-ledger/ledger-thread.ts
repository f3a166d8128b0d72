import { parentPort, workerData } from 'node:worker_threads';
import { createStandaloneLedger } from './create-standalone-ledger.ts';
import type { StandaloneLedgerThreadOptions } from './options.ts';
import type { LedgerThreadMessage } from './thread-message.ts';

const options: StandaloneLedgerThreadOptions = workerData;
const tell = (message: LedgerThreadMessage) => parentPort?.postMessage(message);

try {
  const ledger = await createStandaloneLedger(options);
  parentPort?.once('message', async () => {
    await ledger.stop();
    parentPort?.close();
  });
  tell({ status: 'ready', url: ledger.url, port: ledger.port });
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  tell({ status: 'failed', message: error instanceof Error ? error.message : String(error), code });
}
