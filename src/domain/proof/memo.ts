import { type HashScheme, hashSchemes } from './hash-scheme.ts';

export const proofMemoType = 'proofmark/proof';
export const checkpointMemoType = 'proofmark/checkpoint';
export const memoFormat = 'application/json';

/**
 * Content of a proof's memo on the ledger. `previous` is the transaction hash of the previous
 * revision, if any.
 */
export interface ProofMemo {
  readonly fileHash: string;
  readonly hashScheme: HashScheme;
  readonly previous?: string | null;
}

/** One memo of a transaction with its three fields decoded from hex to UTF-8. */
export interface LedgerMemo {
  readonly type: string;
  readonly format: string;
  readonly data: string;
}

/** Returns the memo of a proof as it is signed. The order of its members is part of the format. */
export function proofMemo(memo: ProofMemo): LedgerMemo {
  const { fileHash, hashScheme, previous } = memo;
  const data = JSON.stringify(
    previous ? { fileHash, hashScheme, previous } : { fileHash, hashScheme },
  );
  return { type: proofMemoType, format: memoFormat, data };
}

/**
 * Reads a memo that `proofMemo` wrote. `memo` is its parsed JSON object, for display; null if it
 * does not parse. `wellFormed` is true only if the memo has exactly the form that `proofMemo`
 * writes.
 */
export function readProofMemo(memos: readonly LedgerMemo[]): {
  readonly memo: Readonly<Record<string, unknown>> | null;
  readonly wellFormed: boolean;
} {
  const [first] = memos;
  if (first === undefined) return { memo: null, wellFormed: false };
  const memo = parseObject(first.data);
  if (memo === null) return { memo: null, wellFormed: false };
  const wellFormed =
    memos.length === 1 &&
    first.type === proofMemoType &&
    first.format === memoFormat &&
    Object.keys(memo).every((name) => members.has(name)) &&
    typeof memo.fileHash === 'string' &&
    /^[a-f0-9]{64}$/.test(memo.fileHash) &&
    hashSchemes.some((scheme) => scheme === memo.hashScheme) &&
    (memo.previous === undefined || isTransactionHash(memo.previous));
  return { memo, wellFormed };
}

const members = new Set(['fileHash', 'hashScheme', 'previous']);

/** A transaction hash as the ledger writes it: 64 upper-case hexadecimal characters. */
export function isTransactionHash(value: unknown): value is string {
  return typeof value === 'string' && /^[A-F0-9]{64}$/.test(value);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
