import type { Bytes } from '../pdf/inflate.ts';
import { latin1 } from '../pdf/latin1.ts';
import { streamsInBytes } from '../pdf/streams-in-bytes.ts';
import { bundleFormat } from './bundle.ts';
import { maxBundleBytes } from './read-bundle.ts';

/** All proof bundles in the bytes of a PDF, attached or not, in any revision of the file. */
interface BundlesInPdf {
  /** Distinct bundles, by `bundleKey`: a bundle that is embedded twice counts once. */
  readonly keys: ReadonlySet<string>;
  /** Indexes of the first bytes of all streams that are bundles. */
  readonly starts: ReadonlySet<number>;
  /** False if the PDF exceeds a limit or holds damaged data, which may hide another bundle. */
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
  let [arePlain, isDamaged] = [true, false];
  for await (const { start, content, isWhole, isPlain, bytes } of streamsInBytes(
    pdf,
    maxBundleBytes,
  )) {
    streams += 1;
    workBytes += bytes;
    arePlain &&= isPlain;
    if (!isWhole) damaged += 1;
    if (content !== null && isBundle(content)) {
      keys.add(bundleKey(content));
      starts.add(start);
      isDamaged ||= !isWhole;
    }
    if (streams > maxStreams || workBytes > maxWorkBytes || damaged > maxDamaged) {
      return { keys, starts, isSearched: false, isDamaged };
    }
  }
  return { keys, starts, isSearched: arePlain && damaged === 0, isDamaged };
}

/** Bundle without white space at both ends: some tools add or drop a line break at the end. */
export function bundleKey(content: Uint8Array): string {
  let [start, end] = [0, content.length];
  while (start < end && isBlank(content[start])) start += 1;
  while (end > start && isBlank(content[end - 1])) end -= 1;
  return latin1(content.subarray(start, end));
}

/** White space of JSON (RFC 8259, section 2). */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Recognises also damaged bundles, and bundles whose JSON uses escapes. */
function isBundle(content: Uint8Array): boolean {
  const text = new TextDecoder().decode(content);
  return text.includes(`"${bundleFormat}"`) || formatOf(text) === bundleFormat;
}

function formatOf(text: string): unknown {
  if (!/^\s*\{/.test(text)) return null;
  try {
    return (JSON.parse(text) as { format?: unknown }).format;
  } catch {
    return null;
  }
}
