import type { SegmentReader } from '../encrypted-files/segment-reader.ts';

const endRecordBytes = 22;
const maxCommentBytes = 65_535;
const maxDirectoryBytes = 16 * 1_024 * 1_024;
const endSignature = Buffer.from('PK\x05\x06', 'latin1');
const entrySignature = 0x02014b50;
const entryBytes = 46;

/** The main part of each document type, as every known program names it. */
const mainParts: readonly (readonly [RegExp, string])[] = [
  [/^word\/document\d*\.xml$/, 'docx'],
  [/^xl\/workbook\d*\.(xml|bin)$/, 'xlsx'],
  [/^ppt\/presentation\d*\.xml$/, 'pptx'],
];

/**
 * Detects an Office document in a zip file by the names in its directory; null for any other file.
 * The library reads entries in order and stops after some number of them. Many programs write the
 * decisive entry last.
 */
export async function officePackage(file: SegmentReader): Promise<string | null> {
  const names = new Set(await entryNames(file));
  if (!names.has('[Content_Types].xml') || !names.has('_rels/.rels')) return null;
  for (const [pattern, extension] of mainParts) {
    for (const name of names) if (pattern.test(name)) return extension;
  }
  return null;
}

/** Names of all entries; empty if the directory is missing or larger than `maxDirectoryBytes`. */
async function entryNames(file: SegmentReader): Promise<string[]> {
  const { sizeBytes } = file;
  const tail = await file.read(sizeBytes - endRecordBytes - maxCommentBytes, sizeBytes);
  const end = tail.subarray(Math.max(tail.lastIndexOf(endSignature), 0));
  if (end.length < endRecordBytes) return [];
  const directoryBytes = end.readUInt32LE(12);
  if (directoryBytes > Math.min(sizeBytes, maxDirectoryBytes)) return [];
  const start = end.readUInt32LE(16);
  return namesIn(await file.read(start, start + directoryBytes));
}

function namesIn(directory: Buffer): string[] {
  const names: string[] = [];
  let at = 0;
  while (at + entryBytes <= directory.length && directory.readUInt32LE(at) === entrySignature) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const moreBytes = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    names.push(directory.toString('utf8', at + entryBytes, at + entryBytes + nameBytes));
    at += entryBytes + nameBytes + moreBytes;
  }
  return names;
}
