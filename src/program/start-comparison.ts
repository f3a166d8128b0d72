import { compareWithLedger, type LedgerComparison } from '../commands/compare-with-ledger.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

/** Compares the log with its last checkpoint on the ledger, and says so. */
export function startComparison(
  { log, draining, fail }: Program,
  { store, leaves }: Core,
  configured: readonly NetworkParts[],
): Promise<LedgerComparison> {
  const networks = configured.map(({ gateway, checkpointSigner }) => {
    return { gateway, account: checkpointSigner?.address ?? null };
  });
  return compareWithLedger({
    store,
    leaves,
    networks,
    draining,
    fail,
    onAgrees: (last) => log.info(last, 'the log agrees with its last checkpoint on the ledger'),
    onTrouble: (err) => log.warn({ err }, untold),
  });
}

const untold =
  'the log cannot be compared with its last checkpoint on the ledger: nothing is signed until it can';
