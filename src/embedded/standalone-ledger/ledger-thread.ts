import { parentPort, workerData } from 'node:worker_threads';
import { createStandaloneLedger } from './create-standalone-ledger.ts';
import type { StandaloneLedgerThreadOptions } from './options.ts';
import type { LedgerThreadMessage } from './thread-message.ts';

const options: StandaloneLedgerThreadOptions = workerData;
const send = (message: LedgerThreadMessage) => parentPort?.postMessage(message);

try {
  const ledger = await createStandaloneLedger(options);
  parentPort?.once('message', async () => {
    await ledger.stop();
    parentPort?.close();
  });
  const { url, port, validatorList } = ledger;
  send({ status: 'ready', url, port, validatorList });
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  send({ status: 'failed', message: error instanceof Error ? error.message : String(error), code });
}
