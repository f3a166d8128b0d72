import { readCheckpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import type { Network } from '../../../src/domain/network.ts';
import type { LedgerGateway, SentTransaction } from '../../../src/ledger/contract.ts';
import { sentBy } from '../../../src/ledger/sent-by.ts';
import type { OutsideCheckpoint } from './outside-checkpoint.ts';

/** Checkpoints of any log that an account has anchored on a network. */
export interface AccountCheckpoints {
  /** Newest first. */
  readonly checkpoints: readonly OutsideCheckpoint[];
  /** True if the server shows a transaction of the account. */
  readonly isUsed: boolean;
  /**
   * First ledger that was searched, if the account may have sent transactions before; else null.
   * 0 if the server did not tell.
   */
  readonly missingBefore: number | null;
}

/** Reads every transaction of the account. Rejects with `LedgerUnavailable`. */
export async function readLedgerCheckpoints(
  gateway: Pick<LedgerGateway, 'sent' | 'name' | 'network'>,
  account: string,
): Promise<AccountCheckpoints> {
  const checkpoints: OutsideCheckpoint[] = [];
  let isUsed = false;
  let isFirstShown = false;
  const history = sentBy(gateway, account);
  for (;;) {
    const { value, done } = await history.next();
    if (done) {
      const { searchedFrom } = value;
      const isWhole = isFirstShown || isWholeHistory(gateway.network, searchedFrom);
      return { checkpoints, isUsed, missingBefore: isWhole ? null : searchedFrom };
    }
    isUsed = true;
    // The first transaction of an account that was never deleted. A new one of the same address
    // begins with the index of its ledger (xrpl.org, DeletableAccounts).
    isFirstShown ||= value.sequence === 1;
    const found = checkpointIn(value, `${account} on ${gateway.name()}`);
    if (found !== null) checkpoints.push(found);
  }
}

/**
 * The first ledgers that may contain transactions. Mainnet has lost those before (xrpl.org); another
 * network begins with two empty ledgers.
 */
const firstLedgers: Readonly<Record<Network, number>> = { mainnet: 32_570, testnet: 3 };

/**
 * True if a history that begins with a ledger is that of the whole network. Sequences do not tell:
 * an account can be deleted and funded anew, and may send several transactions in each ledger.
 */
function isWholeHistory(network: Network, searchedFrom: number): boolean {
  // 0: a server that does not know the account did not say what it searched.
  return searchedFrom > 0 && searchedFrom <= firstLedgers[network];
}

/** Checkpoint in the memo of a successful transaction; null if it has none. */
export function checkpointIn(sent: SentTransaction, account: string): OutsideCheckpoint | null {
  const { engineResult, memos, hash, ledgerIndex } = sent;
  const memo = engineResult === 'tesSUCCESS' ? readCheckpointMemo(memos) : null;
  if (memo === null) return null;
  const { origin, size, rootHash } = memo;
  const name = `the checkpoint that ${account} anchored in ledger ${ledgerIndex} (transaction ${hash})`;
  return { in: 'ledger', origin, size, root: Buffer.from(rootHash, 'hex'), name };
}
