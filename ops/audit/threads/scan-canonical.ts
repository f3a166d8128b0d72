/** Places of top-level members that a scan has found; -1 without such a member. */
export class ScannedMembers {
  /** First byte of the value of `organisationId`. */
  owner = -1;
  /** Byte after that value. */
  ownerEnd = -1;
  /** First byte of the value of `closeTimeIso`. */
  closed = -1;
  /** Byte after that value. */
  closedEnd = -1;
  /** First byte of the value of `blob`. */
  blob = -1;
  /** Byte after that value. */
  blobEnd = -1;
  /** True if there are encrypted fields. */
  hasSealed = false;
  /** True if there is the size of a checkpoint. */
  hasSize = false;
}

/** Deeper data take the other way. */
const deepest = 16;
/** Every integer of so many digits is exact, and is written in one way only. */
const mostDigits = 15;

const [quote, comma, minus, zero, nine, colon] = [0x22, 0x2c, 0x2d, 0x30, 0x39, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
/** 1 for the characters of ASCII that a string contains as they are. */
const plain = new Uint8Array(256).fill(1, 0x20, 0x80);
plain[quote] = 0;
plain[0x5c] = 0;
const words = ['true', 'false', 'null'].map((word) => Buffer.from(word));

/**
 * True if these bytes certainly are a JSON object in canonical form (RFC 8785): ASCII, without
 * escapes, and with no other numbers than short integers, as almost all data. False if
 * `parseCanonical` must decide.
 * @param members receives the places of its members
 */
export function scanCanonical(
  bytes: Uint8Array,
  from: number,
  to: number,
  members: ScannedMembers,
): boolean {
  members.owner = members.ownerEnd = members.closed = members.closedEnd = -1;
  members.blob = members.blobEnd = -1;
  members.hasSealed = members.hasSize = false;
  if (from >= to || bytes[from] !== openBrace) return false;
  return endOfObject(bytes, from, to, 0, members) === to;
}

/** The byte after the value, or -1 if it is none of the expected form. */
function endOfValue(bytes: Uint8Array, at: number, to: number, depth: number): number {
  const first = bytes[at] as number;
  if (first === quote) {
    const end = endOfText(bytes, at + 1, to);
    return end < 0 ? -1 : end + 1;
  }
  if (first === openBrace) return endOfObject(bytes, at, to, depth, null);
  if (first === openBracket) return endOfArray(bytes, at, to, depth);
  if (first === minus || (first >= zero && first <= nine)) return endOfInteger(bytes, at, to);
  return endOfWord(bytes, at, to);
}

function endOfObject(
  bytes: Uint8Array,
  open: number,
  to: number,
  depth: number,
  members: ScannedMembers | null,
): number {
  if (depth === deepest) return -1;
  let at = open + 1;
  if (at < to && bytes[at] === closeBrace) return at + 1;
  for (let [previous, previousEnd] = [at, -1]; ; at += 1) {
    if (at >= to || bytes[at] !== quote) return -1;
    const key = at + 1;
    const keyEnd = endOfText(bytes, key, to);
    if (keyEnd < 0) return -1;
    if (previousEnd >= 0 && !isBefore(bytes, previous, previousEnd, key, keyEnd)) return -1;
    previous = key;
    previousEnd = keyEnd;
    if (bytes[keyEnd + 1] !== colon) return -1;
    const value = keyEnd + 2;
    if (value >= to) return -1;
    at = endOfValue(bytes, value, to, depth + 1);
    if (at < 0 || at >= to) return -1;
    if (members !== null) note(members, bytes, key, keyEnd, value, at);
    if (bytes[at] === closeBrace) return at + 1;
    if (bytes[at] !== comma) return -1;
  }
}

function endOfArray(bytes: Uint8Array, open: number, to: number, depth: number): number {
  if (depth === deepest) return -1;
  let at = open + 1;
  if (at < to && bytes[at] === closeBracket) return at + 1;
  for (; ; at += 1) {
    if (at >= to) return -1;
    at = endOfValue(bytes, at, to, depth + 1);
    if (at < 0 || at >= to) return -1;
    if (bytes[at] === closeBracket) return at + 1;
    if (bytes[at] !== comma) return -1;
  }
}

/** The closing quote of the text that begins at `from`, or -1. */
function endOfText(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && plain[bytes[at] as number] === 1) at += 1;
  return at < to && bytes[at] === quote ? at : -1;
}

function endOfInteger(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === minus;
  const first = isNegative ? from + 1 : from;
  if (first >= to) return -1;
  if (bytes[first] === zero) return isNegative ? -1 : first + 1;
  let at = first;
  while (at < to && (bytes[at] as number) >= zero && (bytes[at] as number) <= nine) at += 1;
  return at === first || at - first > mostDigits ? -1 : at;
}

function endOfWord(bytes: Uint8Array, from: number, to: number): number {
  for (const word of words) {
    if (from + word.length <= to && isText(bytes, from, from + word.length, word)) {
      return from + word.length;
    }
  }
  return -1;
}

/** True if the first key comes before the second one; two equal keys are no canonical form. */
function isBefore(
  bytes: Uint8Array,
  key: number,
  keyEnd: number,
  next: number,
  nextEnd: number,
): boolean {
  const shared = Math.min(keyEnd - key, nextEnd - next);
  for (let n = 0; n < shared; n += 1) {
    const [one, other] = [bytes[key + n] as number, bytes[next + n] as number];
    if (one !== other) return one < other;
  }
  return keyEnd - key < nextEnd - next;
}

const names = {
  owner: Buffer.from('organisationId'),
  closed: Buffer.from('closeTimeIso'),
  blob: Buffer.from('blob'),
  sealed: Buffer.from('sealed'),
  size: Buffer.from('size'),
};

function note(
  members: ScannedMembers,
  bytes: Uint8Array,
  key: number,
  keyEnd: number,
  value: number,
  end: number,
): void {
  if (isText(bytes, key, keyEnd, names.owner)) {
    members.owner = value;
    members.ownerEnd = end;
  } else if (isText(bytes, key, keyEnd, names.closed)) {
    members.closed = value;
    members.closedEnd = end;
  } else if (isText(bytes, key, keyEnd, names.blob)) {
    members.blob = value;
    members.blobEnd = end;
  } else if (isText(bytes, key, keyEnd, names.sealed)) members.hasSealed = true;
  else if (isText(bytes, key, keyEnd, names.size)) members.hasSize = true;
}

function isText(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  if (to - from !== text.length) return false;
  for (let n = 0; n < text.length; n += 1) if (bytes[from + n] !== text[n]) return false;
  return true;
}
