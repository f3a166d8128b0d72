import { zeroHash } from '../codec/hashes.ts';
import { type LedgerHeader, ledgerHash } from '../codec/ledger-header.ts';
import { accountRootIndex } from '../codec/ledger-keys.ts';
import { closeTimeResolution, roundCloseTime } from '../codec/ripple-time.ts';
import { untouched } from '../engine/ledger-entry.ts';
import type { StateTree } from './state-tree.ts';

/** Owner of all XRP on a fresh standalone rippled: secp256k1 account of seed `masterpassphrase`. */
export const genesisAddress = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
/** Worthless except on a standalone ledger. */
export const genesisSeed = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
const allDrops = 100_000_000_000_000_000n;

/**
 * Fills an empty state with the genesis account and returns ledger 2, the first ledger that a
 * standalone rippled validates. `chainId` (32 bytes, hex) replaces the parent hash of ledger 1, so
 * that two chains never share a hash; a real standalone server has zeros there.
 */
export function createGenesis(state: StateTree, chainId: string, now: number): LedgerHeader {
  state.put(accountRootIndex(genesisAddress), {
    LedgerEntryType: 'AccountRoot',
    Account: genesisAddress,
    Balance: String(allDrops),
    Flags: 0,
    OwnerCount: 0,
    Sequence: 1,
    ...untouched,
  });
  const first: LedgerHeader = {
    ledgerIndex: 1,
    totalDrops: allDrops,
    parentHash: chainId,
    transactionHash: zeroHash,
    accountHash: state.accountHash(),
    parentCloseTime: 0,
    closeTime: 0,
    closeTimeResolution,
    closeFlags: 0,
  };
  return {
    ...first,
    ledgerIndex: 2,
    parentHash: ledgerHash(first),
    closeTime: roundCloseTime(now),
  };
}
