import { decode, encode } from 'ripple-binary-codec';
import { transactionHash, upperHex } from './hashes.ts';
import { isCanonicalBlob } from './is-canonical-blob.ts';
import type { JsonObject } from './json.ts';
import { MalformedTransaction } from './malformed-transaction.ts';
import { checkFormat } from './transaction-format.ts';

/** A well-formed transaction, whose signature and effects are not checked yet. */
export interface Transaction {
  /** Upper-case hex. */
  readonly hash: string;
  /** Canonical serialization. */
  readonly blob: Buffer;
  readonly json: JsonObject;
  readonly type: string;
  readonly account: string;
  readonly feeDrops: bigint;
  readonly flags: number;
  /** Sequence, or TicketSequence when `usesTicket`. */
  readonly sequence: number;
  readonly usesTicket: boolean;
  readonly lastLedgerSequence: number | undefined;
  readonly signingKey: string;
  readonly signature: string;
}

const smallestBlob = 32;
const largestBlob = 1024 * 1024;

/**
 * Parses a blob in upper-case hex. Fields may be in any order; the hash is that of the canonical
 * order. Throws MalformedTransaction if the blob is no transaction.
 */
export function parseTransaction(blobHex: string): Transaction {
  const length = blobHex.length / 2;
  if (length < smallestBlob || length > largestBlob) {
    throw new MalformedTransaction('Transaction length invalid');
  }
  const json = read(() => decode(blobHex));
  checkFormat(json);
  const blob = Buffer.from(blobHex, 'hex');
  if (isCanonicalBlob(blob)) return transactionOf(json, blob);
  const canonical = read(() => encode(json));
  if (canonical.length !== blobHex.length) {
    throw new MalformedTransaction('Duplicate field detected');
  }
  return transactionOf(json, Buffer.from(canonical, 'hex'));
}

/** The transaction of matching JSON and canonical blob. */
function transactionOf(json: JsonObject, blob: Buffer): Transaction {
  const { Account, Sequence, TicketSequence, LastLedgerSequence, Fee, Flags } = json;
  if (typeof Account !== 'string') throw new MalformedTransaction('An account field is invalid.');
  if (typeof Fee !== 'string') throw new MalformedTransaction('Fee is not in drops.');
  const sequence = Number(Sequence);
  const usesTicket = sequence === 0 && TicketSequence !== undefined;
  return {
    hash: upperHex(transactionHash(blob)),
    blob,
    json,
    type: String(json.TransactionType),
    account: Account,
    feeDrops: BigInt(Fee),
    flags: Number(Flags ?? 0),
    sequence: usesTicket ? Number(TicketSequence) : sequence,
    usesTicket,
    lastLedgerSequence: LastLedgerSequence === undefined ? undefined : Number(LastLedgerSequence),
    signingKey: String(json.SigningPubKey),
    signature: String(json.TxnSignature ?? ''),
  };
}

/** Wraps the codec's errors, which have no type of their own. */
function read<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new MalformedTransaction(error instanceof Error ? error.message : String(error));
  }
}
