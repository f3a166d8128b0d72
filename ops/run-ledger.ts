import { join } from 'node:path';
import {
  createStandaloneLedger,
  type StandaloneLedger,
} from '../src/embedded/standalone-ledger/create-standalone-ledger.ts';

/**
 * Runs the standalone ledger as a separate server: `npm run ledger`. Reads HOST, PORT, DATA_DIR,
 * STANDALONE_CLOSE_MS and OPEN_LEDGER_LIMIT, the number of transactions in a ledger above which
 * fees escalate. Ends on SIGINT or SIGTERM.
 */
const {
  HOST = '127.0.0.1',
  PORT = '6006',
  DATA_DIR = './var',
  STANDALONE_CLOSE_MS = '1000',
  OPEN_LEDGER_LIMIT = '1000',
} = process.env;

const ledger = await start();
console.log(
  `Standalone ledger at ${ledger.url}, closing a ledger every ${STANDALONE_CLOSE_MS} ms.`,
);
const { url: listUrl, publisherKey } = ledger.validatorList;
console.log(`List of its validators: ${listUrl}, published by ${publisherKey}.`);
console.log('All XRP is held by the genesis account rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh');
console.log('(seed snoPBrXtMeMyMHUVTgbuqAfg1SUTb, secp256k1), as on a standalone rippled.');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ledger.stop());

async function start(): Promise<StandaloneLedger> {
  try {
    return await createStandaloneLedger({
      host: HOST,
      port: wholeNumber('PORT', PORT, 65_535),
      closeMs: wholeNumber('STANDALONE_CLOSE_MS', STANDALONE_CLOSE_MS, 3_600_000),
      openLedgerLimit: wholeNumber('OPEN_LEDGER_LIMIT', OPEN_LEDGER_LIMIT, 1_000_000, 1),
      dataDir: join(DATA_DIR, 'standalone-ledger'),
      log: (message, error) => console.error(message, error),
    });
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}

function wholeNumber(name: string, text: string, most: number, least = 0): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not '${text}'`);
}

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${PORT} of ${HOST} is taken: set PORT to a free one.`;
  if (code === 'EACCES') return `No right to listen on port ${PORT} or to write to ${DATA_DIR}.`;
  return error instanceof Error ? error.message : String(error);
}
