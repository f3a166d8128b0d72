import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { BadEvidence } from './bad-evidence.ts';
import { type LedgerHeader, readHeader } from './ledger-header.ts';
import { headerBytes, linkBytes, maxChain } from './limits.ts';

/**
 * Follows a chain of links from a ledger to a later one. Each header is rebuilt around the hash of
 * the one before it, so the last hash commits to the first header. Returns the last header. Throws
 * `BadEvidence`.
 */
export function followChain(
  first: LedgerHeader,
  links: Uint8Array,
  mostLinks = maxChain,
): LedgerHeader {
  let last = first;
  for (const header of headersIn(first, links, mostLinks)) last = header;
  return last;
}

/** The headers after a ledger, in order, from the links of `packChain`. Throws `BadEvidence`. */
export function unpackChain(
  first: LedgerHeader,
  links: Uint8Array,
  mostLinks = maxChain,
): readonly LedgerHeader[] {
  return [...headersIn(first, links, mostLinks)];
}

/** An index has four bytes. */
const maxIndex = 0xffff_ffff;

/** One header at a time, so that a verifier never keeps thousands of them. */
function* headersIn(
  first: LedgerHeader,
  links: Uint8Array,
  mostLinks: number,
): Generator<LedgerHeader, void> {
  if (links.length % linkBytes !== 0) {
    throw new BadEvidence('header', 'the chain of headers ends within a header');
  }
  if (links.length > mostLinks * linkBytes) {
    throw new BadEvidence('header', `the chain has more than ${mostLinks} headers`);
  }
  if (first.index + links.length / linkBytes > maxIndex) {
    throw new BadEvidence('header', 'the chain leads beyond the last possible ledger');
  }
  let last = first;
  for (let at = 0; at < links.length; at += linkBytes) {
    last = readHeader(unpack(last, links.subarray(at, at + linkBytes)));
    yield last;
  }
}

/**
 * The links from a ledger to a later one, from all headers after it, in order. Throws `BadEvidence`
 * if a header does not continue the chain.
 */
export function packChain(first: LedgerHeader, later: readonly LedgerHeader[]): Uint8Array {
  let last = first;
  const links = later.map((header) => {
    const { bytes } = header;
    const link = concatBytes(
      bytes.subarray(4, 12),
      bytes.subarray(44, 108),
      bytes.subarray(112, headerBytes),
    );
    if (readHeader(unpack(last, link)).hash !== header.hash) {
      throw new BadEvidence('header', `ledger ${header.index} does not follow ${last.index}`);
    }
    last = header;
    return link;
  });
  return concatBytes(...links);
}

function unpack(parent: LedgerHeader, link: Uint8Array): Uint8Array {
  const index = new Uint8Array(4);
  new DataView(index.buffer).setUint32(0, parent.index + 1);
  return concatBytes(
    index,
    link.subarray(0, 8),
    hexToBytes(parent.hash),
    link.subarray(8, 72),
    parent.bytes.subarray(112, 116),
    link.subarray(72),
  );
}
