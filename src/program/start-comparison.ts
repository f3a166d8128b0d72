import { OtherLedger, UnrecognisedLedger } from '../reactors/anchoring/ledger-identity.ts';
import { readSigningState } from '../reactors/anchoring/signing-state.ts';
import {
  AnchoredLogDiffers,
  HistoryTooShort,
} from '../transparency-log/guard/anchored-log-differs.ts';
import {
  type ComparedAccounts,
  compareAccounts,
} from '../transparency-log/guard/compare-accounts.ts';
import {
  compareWithLedger,
  type LedgerComparison,
} from '../transparency-log/guard/compare-with-ledger.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

/** Compares the log with its last checkpoint on the ledger and with what our accounts sent, and says so. */
export function startComparison(
  { log, draining, fail }: Program,
  { database: { db }, store, leaves }: Core,
  configured: readonly NetworkParts[],
): Promise<LedgerComparison> {
  const networks = configured.map(({ gateway, signers, checkpointSigner }) => {
    const own = checkpointSigner === null ? signers : [...signers, checkpointSigner];
    const addresses = own.map(({ address }) => address);
    const signing = () => readSigningState({ store, db }, gateway);
    const compared = { store, gateway, signing, addresses };
    const account = checkpointSigner?.address ?? null;
    return { gateway, account, compareAccounts: () => accountsAgree(compared) };
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
  'the log cannot be compared with what the ledger has of it: nothing is signed until it can';

async function accountsAgree(compared: ComparedAccounts): Promise<'agrees' | 'otherLedger'> {
  try {
    const found = await compareAccounts(compared);
    if (found.status === 'forgotten') throw new AnchoredLogDiffers(found);
    if (found.status === 'agrees') return 'agrees';
    throw new HistoryTooShort(compared.gateway.network, found);
  } catch (error) {
    if (error instanceof OtherLedger || error instanceof UnrecognisedLedger) return 'otherLedger';
    throw error;
  }
}
