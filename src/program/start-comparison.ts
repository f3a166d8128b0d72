import { OtherLedger, UnrecognisedLedger } from '../anchoring-state/ledger-identity.ts';
import { check, requireAgreement, type Traces } from '../transparency-log/guard/check.ts';
import { compareWithLedger, type LedgerComparison } from './compare-with-ledger.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

/**
 * Compares the log with its last checkpoint on the ledger and with transactions of our accounts.
 */
export function startComparison(
  { log, draining, fail }: Program,
  { database: { db }, store, leaves }: Core,
  configured: readonly NetworkParts[],
): Promise<LedgerComparison> {
  const networks = configured.map(({ gateway, accounts, checkpointAccount: account }) => {
    const addresses = account === null ? accounts : [...accounts, account];
    const sent = { store, db, gateway, addresses };
    return { gateway, account, compareAccounts: () => accountsAgree(sent) };
  });
  return compareWithLedger({
    store,
    leaves,
    networks,
    draining,
    fail,
    onAgrees: (last) => log.info(last, 'the log agrees with its last checkpoint on the ledger'),
    onTrouble: (err) => log.warn({ err }, uncompared),
  });
}

const uncompared =
  'log cannot be compared with its checkpoints on the ledger; nothing is signed until it can be';

async function accountsAgree(sent: Traces['sending']): Promise<'agrees' | 'otherLedger'> {
  try {
    requireAgreement(await check('sending', sent));
    return 'agrees';
  } catch (error) {
    if (error instanceof OtherLedger || error instanceof UnrecognisedLedger) return 'otherLedger';
    throw error;
  }
}
