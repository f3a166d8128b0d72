import {
  type CheckpointMemo,
  memoOf,
  readCheckpointMemo,
} from '../../domain/log/checkpoint-memo.ts';
import type { LastOfEpochs } from '../../domain/log/earlier-restore.ts';
import { parseOrigin } from '../../domain/log/origin.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { sentBy } from '../../ledger/sent-by.ts';
import { readCheckpoint } from '../checkpoint/checkpoint.ts';
import type { LogStorage } from '../published/contract.ts';

/** Last checkpoint of each epoch of the log in the storage. */
export async function lastPublishedOfEpochs(
  published: Pick<LogStorage, 'readLastCheckpoints'>,
  logId: string,
): Promise<LastOfEpochs> {
  const notes = await published.readLastCheckpoints();
  const checkpoints = notes.map(readCheckpoint).filter((one) => one !== null);
  return largestOfEpochs(checkpoints.map(memoOf), logId);
}

/** Largest checkpoint of each epoch of the log that these accounts have anchored on a network. */
export async function lastAnchoredOfEpochs(
  gateway: Pick<LedgerGateway, 'sent'>,
  accounts: readonly string[],
  logId: string,
): Promise<LastOfEpochs> {
  const memos: CheckpointMemo[] = [];
  for (const account of accounts) {
    for await (const { engineResult, memos: sent } of sentBy(gateway, account)) {
      const memo = engineResult === 'tesSUCCESS' ? readCheckpointMemo(sent) : null;
      if (memo !== null) memos.push(memo);
    }
  }
  return largestOfEpochs(memos, logId);
}

/** The larger checkpoint of each epoch. */
export function largerOfEpochs(all: readonly LastOfEpochs[], logId: string): LastOfEpochs {
  return largestOfEpochs(
    all.flatMap((one) => [...one.values()]),
    logId,
  );
}

function largestOfEpochs(memos: readonly CheckpointMemo[], logId: string): LastOfEpochs {
  const largest = new Map<number, CheckpointMemo>();
  for (const memo of memos) {
    const named = parseOrigin(memo.origin);
    if (named?.logId !== logId) continue;
    if (memo.size > (largest.get(named.epoch)?.size ?? 0)) largest.set(named.epoch, memo);
  }
  return largest;
}
