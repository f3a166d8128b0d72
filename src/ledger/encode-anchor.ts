import { lengthPrefix } from '../domain/ledger/length-prefix.ts';
import type { LedgerMemo } from '../domain/proof/memo.ts';

/** The fields of an anchoring AccountSet. Hex of either case. */
interface AnchorFields {
  /** 20 bytes, hex. */
  readonly accountId: string;
  /** Hex. */
  readonly publicKey: string;
  readonly sequence: number;
  readonly feeDrops: number;
  readonly lastLedgerSequence: number;
  readonly memo: LedgerMemo | null;
}

/**
 * The binary form of the transaction in the ledger's canonical field order, except the signature.
 * Encoded here because the general codec takes longer than the signature. A test compares the bytes
 * with the codec's.
 */
export class EncodedAnchor {
  readonly #head: Buffer;
  readonly #tail: Buffer;

  constructor({ sequence, lastLedgerSequence, feeDrops, ...fields }: AnchorFields) {
    const numbers = Buffer.from(numbersTemplate);
    numbers.writeUInt32BE(sequence, 4);
    numbers.writeUInt32BE(lastLedgerSequence, 10);
    numbers.writeBigUInt64BE(isNative | BigInt(feeDrops), 15);
    this.#head = Buffer.concat([
      numbers,
      blobField(fieldId.signingPubKey, fields.publicKey, 'hex'),
    ]);
    const account = blobField(fieldId.account, fields.accountId, 'hex');
    this.#tail = fields.memo ? Buffer.concat([account, encodeMemos(fields.memo)]) : account;
  }

  /** The bytes to sign. */
  forSigning(): Buffer {
    return Buffer.concat([signingPrefix, this.#head, this.#tail]);
  }

  /** The complete transaction. `signature` is hex. */
  signed(signature: string): Buffer {
    return Buffer.concat([
      this.#head,
      blobField(fieldId.txnSignature, signature, 'hex'),
      this.#tail,
    ]);
  }
}

/** Ids of fields as one byte each (xrpl.org, "Field IDs"). */
const fieldId = {
  signingPubKey: 0x73,
  txnSignature: 0x74,
  memoType: 0x7c,
  memoData: 0x7d,
  memoFormat: 0x7e,
  account: 0x81,
} as const;

/** TransactionType (AccountSet: 3), Sequence, LastLedgerSequence and Fee, with zeros to replace. */
const numbersTemplate = Buffer.from(
  '120003' + '2400000000' + '201b00000000' + '680000000000000000',
  'hex',
);
/** Bits of an amount in XRP that is not negative. */
const isNative = 0x4000_0000_0000_0000n;
const signingPrefix = Buffer.from('STX\0', 'latin1');
/** Start of the array Memos, and of its one object Memo. */
const memosStart = Buffer.from([0xf9, 0xea]);
const memosEnd = Buffer.from([0xe1, 0xf1]);

function encodeMemos({ type, data, format }: LedgerMemo): Buffer {
  return Buffer.concat([
    memosStart,
    blobField(fieldId.memoType, type, 'utf8'),
    blobField(fieldId.memoData, data, 'utf8'),
    blobField(fieldId.memoFormat, format, 'utf8'),
    memosEnd,
  ]);
}

function blobField(id: number, text: string, encoding: 'hex' | 'utf8'): Buffer {
  const bytes = Buffer.from(text, encoding);
  return Buffer.concat([Buffer.from([id]), lengthPrefix(bytes.length), bytes]);
}
