import { bytesToHex } from '@noble/hashes/utils.js';
import { BadEvidence } from '../evidence/bad-evidence.ts';
import { maxTokenBytes } from '../evidence/limits.ts';
import { BadDer, type DerElement, demandDer, elementsIn } from './der.ts';

/** Statements of a time-stamp token. Its signature is not verified. */
export interface TokenStatements {
  /** SHA-256 of the stamped data, lower-case hex. */
  readonly imprint: string;
  /** ISO 8601. */
  readonly time: string;
}

/**
 * Reads the statements of a time-stamp token (RFC 3161, 2.4.2) in DER. Throws `BadEvidence` for
 * everything else.
 */
export function readToken(token: Uint8Array): TokenStatements {
  if (token.length > maxTokenBytes) {
    throw new BadEvidence('timestamp', `the token is larger than ${maxTokenBytes} bytes`);
  }
  try {
    return statementsOf(contentOf(demandDer(token)));
  } catch (error) {
    if (!(error instanceof BadDer)) throw error;
    throw new BadEvidence('timestamp', `the token ${error.message}`, { cause: error });
  }
}

const tags = {
  ...{ integer: 0x02, octets: 0x04, oid: 0x06, time: 0x18 },
  ...{ sequence: 0x30, set: 0x31, zero: 0xa0 },
};

/** Content bytes of object identifiers, in hex. */
const oids = {
  signedData: '2a864886f70d010702',
  tstInfo: '2a864886f70d0109100104',
  sha256: '608648016503040201',
};

/** The TSTInfo: content of the signed data (RFC 5652, 5.1). */
function contentOf(whole: DerElement): Uint8Array {
  const [type, signed] = partsOf(whole, tags.oid, tags.zero);
  demandOid(type, oids.signedData, 'is no signed data');
  const [, , encapsulated] = partsOf(inZero(signed), tags.integer, tags.set, tags.sequence);
  const [contentType, content] = partsOf(encapsulated, tags.oid, tags.zero);
  demandOid(contentType, oids.tstInfo, 'is not of a time');
  return demand(inZero(content), tags.octets).content;
}

function statementsOf(info: Uint8Array): TokenStatements {
  const { integer, oid, sequence } = tags;
  const parts = partsOf(demandDer(info), integer, oid, sequence, integer, tags.time);
  const [version, , imprint, , time] = parts;
  if (bytesToHex(demand(version, tags.integer).content) !== '01') {
    throw new BadDer('has another version than 1');
  }
  const [algorithm, hash] = partsOf(imprint, sequence, tags.octets);
  demandOid(partsOf(algorithm, oid)[0], oids.sha256, 'is not of a SHA-256');
  const { content } = demand(hash, tags.octets);
  if (content.length !== 32) throw new BadDer('is not of a SHA-256');
  return { imprint: bytesToHex(content), time: timeOf(demand(time, tags.time).content) };
}

/** The elements of a sequence, of which the first have these tags. */
function partsOf(
  element: DerElement | undefined,
  ...expected: readonly number[]
): readonly DerElement[] {
  const parts = elementsIn(demand(element, tags.sequence).content);
  for (const [at, tag] of expected.entries()) demand(parts[at], tag);
  return parts;
}

/** The element in an explicit tag [0]. */
function inZero(element: DerElement | undefined): DerElement | undefined {
  return elementsIn(demand(element, tags.zero).content)[0];
}

function demand(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag !== tag) throw new BadDer('is no time-stamp token');
  return element;
}

function demandOid(element: DerElement | undefined, oid: string, otherwise: string): void {
  if (bytesToHex(demand(element, tags.oid).content) !== oid) throw new BadDer(otherwise);
}

/** A time in UTC, with an optional fraction (RFC 3161, 2.4.2). Milliseconds are kept. */
function timeOf(content: Uint8Array): string {
  const text = String.fromCharCode(...content.subarray(0, maxTimeLength));
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/.exec(text);
  if (found === null) throw new BadDer('has a time in another form than DER');
  const [, year, month, day, hour, minute, second, fraction = ''] = found;
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`;
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString() !== time) {
    throw new BadDer('has a time that is no date');
  }
  return time;
}

const maxTimeLength = 40;
