import { DEFAULT_DEFINITIONS, decode, encode } from 'ripple-binary-codec';
import { transactionHash, upperHex } from './hashes.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { isAddress } from './ledger-keys.ts';
import { MalformedTransaction } from './malformed-transaction.ts';
import { checkFormat } from './transaction-format.ts';

/** A well-formed transaction; nothing is said yet about its signature or whether it applies. */
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

/** Decodes a blob once. Throws MalformedTransaction for anything that is no transaction. */
export function parseTransaction(blobHex: string): Transaction {
  let blob: Buffer = Buffer.from(blobHex, 'hex');
  if (blob.length < smallestBlob || blob.length > largestBlob) {
    throw new MalformedTransaction('Transaction length invalid');
  }
  const json = decodeBlob(blobHex);
  checkFormat(json);
  if (!isCanonical(json)) {
    const canonical = Buffer.from(encode(json), 'hex');
    if (canonical.length !== blob.length)
      throw new MalformedTransaction('Duplicate field detected');
    blob = canonical;
  }
  return transactionOf(json, blob);
}

/** The transaction of JSON and canonical blob that belong together. */
function transactionOf(json: JsonObject, blob: Buffer): Transaction {
  const { Account, Sequence, TicketSequence, LastLedgerSequence, Fee, Flags } = json;
  if (!isAddress(Account)) throw new MalformedTransaction('An account field is invalid.');
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

function decodeBlob(blobHex: string): JsonObject {
  try {
    return decode(blobHex);
  } catch (error) {
    throw new MalformedTransaction(error instanceof Error ? error.message : String(error));
  }
}

/** Whether the decoded fields came in the canonical order, which the hash is made of. */
function isCanonical(value: JsonObject): boolean {
  let last = -1;
  for (const [name, content] of Object.entries(value)) {
    const ordinal = ordinalOf(name);
    if (ordinal === undefined) continue;
    if (ordinal <= last) return false;
    last = ordinal;
    if (name === 'Memos' && Array.isArray(content)) {
      for (const item of content) {
        const memo: unknown = isJsonObject(item) ? item.Memo : undefined;
        if (isJsonObject(memo) && !isCanonical(memo)) return false;
      }
    }
  }
  return true;
}

const ordinals = new Map<string, number>();

function ordinalOf(field: string): number | undefined {
  const known = ordinals.get(field);
  if (known !== undefined) return known;
  const ordinal = DEFAULT_DEFINITIONS.field.fromString(field)?.ordinal;
  if (ordinal !== undefined) ordinals.set(field, ordinal);
  return ordinal;
}
