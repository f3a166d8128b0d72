/** One element in DER (X.690). */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Index of the first byte after it. */
  readonly end: number;
}

/** The bytes are not DER. The message completes "the token …". */
export class BadDer extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BadDer';
  }
}

/** Tokens of authorities have up to 20 levels. */
const maxDepth = 32;
const constructed = 0x20;

/**
 * Reads the element at an index. Refuses everything that other readers could take for something
 * else: lengths that are indefinite, not the shortest or too large, and tags of several bytes.
 */
function readElement(bytes: Uint8Array, at: number): DerElement {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) throw new BadDer('ends too early');
  if ((tag & 0x1f) === 0x1f) throw new BadDer('has a tag of several bytes');
  const { length, start } = lengthAt(bytes, at + 1, first);
  const end = start + length;
  if (end > bytes.length) throw new BadDer('ends too early');
  return { tag, content: bytes.subarray(start, end), end };
}

function lengthAt(bytes: Uint8Array, at: number, first: number) {
  if (first < 0x80) return { length: first, start: at + 1 };
  if (first === 0x80) throw new BadDer('has an element of indefinite length');
  const digits = bytes.subarray(at + 1, at + 1 + (first & 0x7f));
  if (digits.length > 4 || digits[0] === 0)
    throw new BadDer('has a length in another form than DER');
  const length = digits.reduce((sum, digit) => 256 * sum + digit, 0);
  if (length < 0x80) throw new BadDer('has a length in another form than DER');
  return { length, start: at + 1 + digits.length };
}

/** The elements in a constructed one. */
export function elementsIn(content: Uint8Array): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < content.length; ) {
    const element = readElement(content, at);
    elements.push(element);
    at = element.end;
  }
  return elements;
}

/** Throws `BadDer` unless the bytes are one element in DER, with all elements in it. */
export function demandDer(bytes: Uint8Array): DerElement {
  const whole = readElement(bytes, 0);
  if (whole.end !== bytes.length) throw new BadDer('is followed by other bytes');
  let level: readonly DerElement[] = [whole];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= maxDepth) throw new BadDer(`has more than ${maxDepth} levels`);
    level = level.flatMap(({ tag, content }) =>
      (tag & constructed) === 0 ? [] : elementsIn(content),
    );
  }
  return whole;
}
