import { decodeAccountID } from 'ripple-address-codec';
import { lengthPrefix } from '../../../src/domain/ledger/length-prefix.ts';
import type { LedgerMemo } from '../../../src/domain/proof/memo.ts';

/** Fields of the AccountSet that an event states. */
interface StatedTransaction {
  readonly account: string;
  readonly sequence: number;
  readonly feeDrops: number;
  readonly lastLedgerSequence: number;
}

/** A signed transaction in its binary form, in upper-case hex, taken apart. */
export interface BlobParts {
  /** 33 bytes in hex. */
  readonly key: string;
  readonly signature: string;
  /** Everything before the signature, and everything after it. */
  readonly before: string;
  readonly after: string;
}

/**
 * An AccountSet with Sequence, LastLedgerSequence, Fee, key, signature and account, in canonical
 * order (xrpl.org, Serialization Format). The fields after the account are its memos.
 */
const layout =
  /^(12000324[0-9A-F]{8}201B[0-9A-F]{8}68[0-9A-F]{16}7321([0-9A-F]{66}))74([0-9A-F]{2})/;
/** Longest value whose length takes one byte. */
const mostShort = 192;

/** Takes a signed transaction in upper-case hex apart; null for another form. */
export function takeApart(blob: string): BlobParts | null {
  const [whole = '', before = '', key = '', length = ''] = layout.exec(blob) ?? [];
  const bytes = Number.parseInt(length, 16);
  if (whole === '' || bytes > mostShort) return null;
  const end = whole.length + 2 * bytes;
  const signature = blob.slice(whole.length, end);
  // Readers of hex take both cases, so another form of the text must be refused here.
  if (!/^[0-9A-F]*$/.test(signature)) return null;
  return { key, signature, before, after: blob.slice(end) };
}

/** True if the transaction has exactly these fields and this one memo, in canonical form. */
export function hasFields(
  { key, before, after }: BlobParts,
  stated: StatedTransaction,
  memo: LedgerMemo,
): boolean {
  const { sequence, lastLedgerSequence, feeDrops } = stated;
  if (![sequence, lastLedgerSequence].every(isUint32) || !isDrops(feeDrops)) return false;
  const fields = `12000324${uint32(sequence)}201B${uint32(lastLedgerSequence)}68${amount(feeDrops)}`;
  return (
    before === `${fields}7321${key}` && after === `${accountOf(stated.account)}${encoded(memo)}`
  );
}

/** Array of one object with MemoType, MemoData and MemoFormat. */
function encoded({ type, data, format }: LedgerMemo): string {
  return `F9EA7C${sized(type)}7D${sized(data)}7E${sized(format)}E1F1`;
}

/** A text after its length in bytes. Throws for a text longer than any field. */
function sized(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const whole = Buffer.concat([lengthPrefix(bytes.length), bytes]);
  return whole.toString('hex').toUpperCase();
}

let last = { account: '', encoded: '' };

/** The field Account. Throws if the text is no address. */
function accountOf(account: string): string {
  if (last.account !== account) {
    const id = Buffer.from(decodeAccountID(account)).toString('hex').toUpperCase();
    last = { account, encoded: `8114${id}` };
  }
  return last.encoded;
}

/** The highest bits state that it is a positive amount of XRP. */
function amount(drops: number): string {
  return (0x4000_0000_0000_0000n + BigInt(drops)).toString(16).toUpperCase();
}

function isUint32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function isDrops(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function uint32(value: number): string {
  return hex(value, 8);
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
