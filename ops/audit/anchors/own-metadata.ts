/** The use of a Sequence by an account, as metadata show it. */
interface UsedSequence {
  /** 20 bytes in upper-case hex. */
  readonly account: string;
  readonly before: number;
  readonly after: number;
}

/** Metadata of a successful transaction that changed accounts only. */
export interface OwnMetadata {
  readonly transactionIndex: number;
  readonly used: readonly UsedSequence[];
}

/** Fields by type and number (xrpl.org, Serialization Format). */
const fields = {
  ledgerEntryType: 0x1_0001,
  flags: 0x2_0002,
  sequence: 0x2_0004,
  previousLedger: 0x2_0005,
  ownerCount: 0x2_000d,
  previousTransaction: 0x5_0005,
  ledgerIndex: 0x5_0006,
  accountTransaction: 0x5_0009,
  balance: 0x6_0002,
  domain: 0x7_0007,
  account: 0x8_0001,
  regularKey: 0x8_0008,
  previousFields: 0xe_0006,
  finalFields: 0xe_0007,
} as const;
const ofNode: ReadonlySet<number> = new Set([
  ...[fields.ledgerEntryType, fields.previousLedger, fields.previousTransaction],
  ...[fields.ledgerIndex, fields.previousFields, fields.finalFields],
]);
const ofAccount: ReadonlySet<number> = new Set([
  ...[fields.flags, fields.sequence, fields.ownerCount, fields.accountTransaction],
  ...[fields.balance, fields.domain, fields.account, fields.regularKey],
]);
/** Bytes of a value by its type. */
const widths: Readonly<Record<number, number>> = { 1: 2, 2: 4, 5: 32, 6: 8 };

const [startsNodes, modifiedNode, endOfObject, endOfArray] = [0xf8, 0xe5, 0xe1, 0xf1];
const accountRoot = 0x61;
const mostDrops = 1e17;
const mostShort = 192;
const accountBytes = 20;

interface AccountFields {
  account: string;
  sequence: number;
}

/**
 * Reads metadata in upper-case hex that certainly are in the canonical form: a TransactionIndex,
 * modified accounts with usual fields, and tesSUCCESS, as of almost every AccountSet. Null for
 * others: `decodeCanonical` must read them.
 */
export function readOwnMetadata(hex: string): OwnMetadata | null {
  if (!/^201C[0-9A-F]+031000$/.test(hex) || hex.length % 2 !== 0) return null;
  const reader = new FieldReader(Buffer.from(hex, 'hex'));
  return reader.metadata();
}

class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  metadata(): OwnMetadata | null {
    const bytes = this.#bytes;
    const transactionIndex = bytes.readUInt32BE(2);
    const end = bytes.length - 4;
    this.#at = 7;
    if (bytes[6] !== startsNodes || bytes[end] !== endOfArray) return null;
    const used: UsedSequence[] = [];
    while (this.#at < end) {
      if (bytes[this.#at] !== modifiedNode) return null;
      this.#at += 1;
      if (!this.#node(end, used)) return null;
    }
    return this.#at === end ? { transactionIndex, used } : null;
  }

  /** False if the node has an unusual form. */
  #node(end: number, used: UsedSequence[]): boolean {
    let final: AccountFields | null = null;
    let previous: AccountFields | null = null;
    let isAccount = false;
    for (let last = 0; ; ) {
      if (this.#at >= end) return false;
      if (this.#bytes[this.#at] === endOfObject) break;
      const field = this.#field();
      if (field <= last || !ofNode.has(field)) return false;
      last = field;
      if (field === fields.ledgerEntryType) {
        if (this.#at + 2 > end || this.#bytes.readUInt16BE(this.#at) !== accountRoot) return false;
        isAccount = true;
        this.#at += 2;
      } else if (field === fields.previousFields || field === fields.finalFields) {
        const read = this.#accountFields(end);
        if (read === null) return false;
        if (field === fields.finalFields) final = read;
        else previous = read;
      } else this.#at += widths[field >> 16] ?? end;
    }
    this.#at += 1;
    if (!isAccount) return false;
    if (final !== null && previous !== null) {
      used.push({ account: final.account, before: previous.sequence, after: final.sequence });
    }
    return true;
  }

  /** Null for an unusual form. */
  #accountFields(end: number): AccountFields | null {
    const read: AccountFields = { account: '', sequence: Number.NaN };
    for (let last = 0; ; ) {
      if (this.#at >= end) return null;
      if (this.#bytes[this.#at] === endOfObject) break;
      const field = this.#field();
      if (field <= last || !ofAccount.has(field)) return null;
      last = field;
      const width = widths[field >> 16] ?? this.#length(field);
      if (width < 0 || this.#at + width > end) return null;
      if (field === fields.balance && !this.#isDrops()) return null;
      if (field === fields.sequence) read.sequence = this.#bytes.readUInt32BE(this.#at);
      if (field === fields.account) {
        const id = this.#bytes.toString('hex', this.#at, this.#at + width);
        read.account = id.toUpperCase();
      }
      this.#at += width;
    }
    this.#at += 1;
    return read;
  }

  /** Type and number of the next field; 0 for one that takes two or three bytes. */
  #field(): number {
    const byte = this.#bytes[this.#at] as number;
    this.#at += 1;
    const [type, number] = [byte >> 4, byte & 15];
    return type === 0 || number === 0 ? 0 : (type << 16) | number;
  }

  /** Length of a value that states it; -1 for an unusual one. */
  #length(field: number): number {
    const length = this.#bytes[this.#at] as number;
    this.#at += 1;
    if (field >> 16 === 8) return length === accountBytes ? length : -1;
    return length <= mostShort ? length : -1;
  }

  /** True for a positive amount of XRP. */
  #isDrops(): boolean {
    const high = this.#bytes.readUInt32BE(this.#at);
    const low = this.#bytes.readUInt32BE(this.#at + 4);
    return high >>> 29 === 2 && (high & 0x1fff_ffff) * 2 ** 32 + low < mostDrops;
  }
}
