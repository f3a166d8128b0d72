import { bytesToHex } from '@noble/hashes/utils.js';
import { checkpointMemoType, type LedgerMemo, memoFormat } from '../proof/memo.ts';

/**
 * Content of a checkpoint on the ledger and in events. `rootHash` is 64 lower-case hex characters.
 */
export interface CheckpointMemo {
  readonly origin: string;
  readonly size: number;
  readonly rootHash: string;
}

/** The memo of a checkpoint whose `root` is 32 bytes. */
export function memoOf({
  origin,
  size,
  root,
}: Pick<CheckpointMemo, 'origin' | 'size'> & { readonly root: Uint8Array }): CheckpointMemo {
  return { origin, size, rootHash: bytesToHex(root) };
}

/** Returns the memo as it is signed. The order of its members is part of the format. */
export function checkpointMemo({ origin, size, rootHash }: CheckpointMemo): LedgerMemo {
  const data = JSON.stringify({ origin, size, rootHash });
  return { type: checkpointMemoType, format: memoFormat, data };
}

/** Reads a memo that `checkpointMemo` wrote; null for any other. */
export function readCheckpointMemo(memos: readonly LedgerMemo[]): CheckpointMemo | null {
  const [memo] = memos;
  if (memo === undefined || memos.length > 1 || memo.type !== checkpointMemoType) return null;
  try {
    const { origin, size, rootHash } = JSON.parse(memo.data) as Record<keyof CheckpointMemo, never>;
    const read = { origin, size, rootHash };
    const isWhole = Number.isSafeInteger(size) && size >= 1 && /^[0-9a-f]{64}$/.test(rootHash);
    return isWhole && checkpointMemo(read).data === memo.data ? read : null;
  } catch {
    return null;
  }
}
