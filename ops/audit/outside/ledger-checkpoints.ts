import { readCheckpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import type { LedgerGateway, SentTransaction } from '../../../src/ledger/contract.ts';
import { sentBy } from '../../../src/transparency-log/guard/sent-by.ts';
import type { OutsideCheckpoint } from './outside-checkpoint.ts';

/** Checkpoints of any log that an account has anchored on a network. */
interface AccountCheckpoints {
  /** Newest first. */
  readonly checkpoints: readonly OutsideCheckpoint[];
  /** First ledger that was searched, if the account may have sent transactions before; else null. */
  readonly missingBefore: number | null;
}

/** Reads every transaction of the account. Rejects with `LedgerUnavailable`. */
export async function readLedgerCheckpoints(
  gateway: Pick<LedgerGateway, 'sent' | 'account' | 'name'>,
  account: string,
): Promise<AccountCheckpoints> {
  const checkpoints: OutsideCheckpoint[] = [];
  let first: number | null = null;
  const history = sentBy(gateway, account);
  for (;;) {
    const { value, done } = await history.next();
    if (done) {
      const { searchedFrom } = value;
      first ??= (await gateway.account(account, 0))?.sequence ?? null;
      return { checkpoints, missingBefore: isWhole(first, searchedFrom) ? null : searchedFrom };
    }
    first = value.sequence ?? first;
    const found = checkpointIn(value, `${account} on ${gateway.name()}`);
    if (found !== null) checkpoints.push(found);
  }
}

/**
 * True if the account had no transactions before the history. The first Sequence of an account is
 * the index of the ledger that created it (xrpl.org, DeletableAccounts); of an old account it is 1.
 */
function isWhole(firstSequence: number | null, searchedFrom: number): boolean {
  return firstSequence === null || firstSequence === 1 || firstSequence >= searchedFrom;
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
