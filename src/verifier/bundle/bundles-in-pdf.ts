import type { Bytes } from '../pdf/inflate.ts';
import { latin1 } from '../pdf/latin1.ts';
import { packingIn, streamsInBytes } from '../pdf/streams-in-bytes.ts';
import { bundleFormat } from './bundle.ts';
import { maxBundleBytes } from './read-bundle.ts';

/** All proof bundles in the bytes of a PDF, attached or not, in any revision of the file. */
interface BundlesInPdf {
  /** Distinct bundles, by `bundleKey`: a bundle that is embedded twice counts once. */
  readonly keys: ReadonlySet<string>;
  /** Indexes of the first bytes of all streams that are bundles. */
  readonly starts: ReadonlySet<number>;
  /** False if another bundle may be hidden: in damaged data, behind a limit, or in no stream. */
  readonly isSearched: boolean;
  /** True if one of the bundles is damaged or truncated. */
  readonly isDamaged: boolean;
}

/** Limits of the work for one PDF, far above any certificate. */
const maxStreams = 1_000;
const maxWorkBytes = 32 * 1024 * 1024;
const maxDamaged = 4;

export async function bundlesInPdf(pdf: Bytes): Promise<BundlesInPdf> {
  const keys = new Set<string>();
  const starts = new Set<number>();
  let [streams, workBytes, damaged] = [0, 0, 0];
  const text = latin1(pdf);
  const places: [number, number][] = [];
  const { isUnknown, isDifferenced } = packingIn(text);
  let [arePlain, isDamaged] = [!isUnknown, false];
  for await (const stream of streamsInBytes(pdf, text, maxBundleBytes)) {
    const { start, end, content, isWhole, isPlain, mayBeDifferenced, bytes } = stream;
    streams += 1;
    workBytes += bytes;
    arePlain &&= isPlain;
    if (!isWhole) damaged += 1;
    if (content !== null && isBundle(content)) {
      keys.add(bundleKey(content));
      starts.add(start);
      places.push([start, end]);
      isDamaged ||= !isWhole;
    } else if (isDifferenced && mayBeDifferenced) {
      arePlain = false;
    }
    if (streams > maxStreams || workBytes > maxWorkBytes || damaged > maxDamaged) {
      return { keys, starts, isSearched: false, isDamaged };
    }
  }
  for (const { index } of text.matchAll(marker)) {
    arePlain &&= places.some(([start, end]) => start <= index && index < end);
  }
  return { keys, starts, isSearched: arePlain && damaged === 0, isDamaged };
}

/**
 * Bundle without a byte order mark, and without white space at both ends: some tools add or drop a
 * line break at the end.
 */
export function bundleKey(content: Uint8Array): string {
  const isMarked = byteOrderMark.every((byte, at) => content[at] === byte);
  let [start, end] = [isMarked ? byteOrderMark.length : 0, content.length];
  while (start < end && isBlank(content[start])) start += 1;
  while (end > start && isBlank(content[end - 1])) end -= 1;
  return latin1(content.subarray(start, end));
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

/** White space of JSON (RFC 8259, section 2). */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Recognises also damaged bundles, and bundles whose JSON uses escapes. */
function isBundle(content: Uint8Array): boolean {
  return latin1(content).search(marker) >= 0;
}

/** The format as JSON writes it, each character perhaps escaped. */
const marker = new RegExp(
  `"${[...bundleFormat]
    .map((character) => {
      const hex = character.charCodeAt(0).toString(16);
      return `(?:\\\\?${character}|\\\\u00(?:${hex}|${hex.toUpperCase()}))`;
    })
    .join('')}"`,
  'g',
);
