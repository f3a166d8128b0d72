import { decode } from 'ripple-binary-codec';
import { readCheckpointMemo } from '../domain/log/checkpoint-memo.ts';
import {
  type LedgerMemo,
  memoFormat,
  type ProofMemo,
  proofMemo,
  readProofMemo,
} from '../domain/proof/memo.ts';
import { type RawMemos, readMemos } from '../ledger/anchor-transaction.ts';
import { EncodedAnchor } from '../ledger/encode-anchor.ts';
import type { SigningAccount } from '../ledger/signer.ts';

/** An account, the purpose of its transactions, and their highest fee. */
export interface SigningTerms {
  readonly account: SigningAccount;
  readonly purpose: 'proofs' | 'checkpoints';
  readonly maxFeeDrops: number;
}

/** An origin has a prefix of up to 200 characters (LOG_ORIGIN), the log's id and perhaps an epoch. */
const maxOriginLength = 300;

/**
 * Returns the reason that a message may not be signed; null if it may. A message is what a
 * transaction's signature covers. It may be signed if it is an AccountSet without options, of this
 * account, with the memo of a proof or checkpoint, or without a memo to fill a gap. Every other
 * transaction could move XRP or change the account.
 */
export function reasonAgainst(message: Buffer, terms: SigningTerms): string | null {
  try {
    return findReason(message, terms);
  } catch {
    // Only what is no transaction of ours has fields that cannot be read or encoded.
    return 'it is malformed';
  }
}

function findReason(
  message: Buffer,
  { account, purpose, maxFeeDrops }: SigningTerms,
): string | null {
  const fields = fieldsOf(message);
  if (fields === null) return 'it is no transaction';
  const { Account, SigningPubKey, TransactionType, Sequence, LastLedgerSequence, Fee, Memos } =
    fields;
  if (TransactionType !== 'AccountSet') return `it is of type ${TransactionType}`;
  if (Account !== account.address) return `it is of account ${Account}`;
  if (SigningPubKey !== account.publicKey) return 'it names another public key';
  const memos = readMemos(Memos);
  const [memo = null] = memos;
  const isOurs = memo === null || (purpose === 'proofs' ? isOfProof(memos) : isOfCheckpoint(memos));
  if (!isOurs) return `its memo is not one of ${purpose}`;
  const feeDrops = Number(Fee);
  if (!(feeDrops <= maxFeeDrops)) return `its fee of ${Fee} drops is more than MAX_FEE_DROPS`;
  const same = { sequence: Sequence, feeDrops, lastLedgerSequence: LastLedgerSequence, memo };
  const { accountId, publicKey } = account;
  const isExact = [Sequence, LastLedgerSequence, feeDrops].every(Number.isSafeInteger);
  return isExact &&
    new EncodedAnchor({ ...same, accountId, publicKey }).forSigning().equals(message)
    ? null
    : 'it has other fields than an anchoring transaction';
}

/** Returns true for a memo exactly as `proofMemo` writes it. */
function isOfProof(memos: readonly LedgerMemo[]): boolean {
  const { memo, wellFormed } = readProofMemo(memos);
  // Well-formed means that it has the members of a proof's memo.
  return wellFormed && proofMemo(memo as unknown as ProofMemo).data === memos[0]?.data;
}

/** Returns true for a memo exactly as `checkpointMemo` writes it. */
function isOfCheckpoint(memos: readonly LedgerMemo[]): boolean {
  const read = readCheckpointMemo(memos);
  const isOurs = typeof read?.origin === 'string' && read.origin.length <= maxOriginLength;
  return isOurs && memos[0]?.format === memoFormat;
}

interface Fields {
  readonly SigningPubKey: string;
  readonly TransactionType: string;
  readonly Account: string;
  readonly Sequence: number;
  readonly LastLedgerSequence: number;
  readonly Fee: string;
  readonly Memos?: RawMemos;
}

function fieldsOf(message: Buffer): Fields | null {
  if (message.toString('latin1', 0, 4) !== 'STX\0') return null;
  try {
    return decode(message.toString('hex', 4)) as unknown as Fields;
  } catch {
    return null;
  }
}
