import { type Detector, FileTypeParser } from 'file-type';
import { FileDamaged } from '../encrypted-files/file-damaged.ts';
import { type EncryptedFile, SegmentReader } from '../encrypted-files/segment-reader.ts';
import { officePackage } from './office-package.ts';
import { encryptedOffice } from './signatures.ts';

/** Maximum size of a single read by the library. */
const maxReadBytes = 2 * 1_024 * 1_024;

/**
 * Detects a file's format from its bytes and returns the usual extension; null for an unknown
 * format: text, noise or a broken file. Rejects only if the file cannot be read.
 */
export async function detect(encrypted: EncryptedFile): Promise<string | null> {
  const file = await SegmentReader.open(encrypted);
  try {
    return await detectIn(file);
  } finally {
    await file.close();
  }
}

async function detectIn(file: SegmentReader): Promise<string | null> {
  const head = { bytes: Buffer.alloc(0) };
  const customDetectors = [keepHead(head), ...beforeTheLibrary];
  const parser = new FileTypeParser({ customDetectors, maxBufferSize: maxReadBytes });
  try {
    const found = (await parser.fromBlob(asBlob(file)))?.ext;
    if (found === 'zip') return (await officePackage(file)) ?? found;
    if (found !== undefined) return found;
  } catch (trouble) {
    if (isSystemError(trouble) || trouble instanceof FileDamaged) throw trouble;
    // The parser failed on the file's content.
  }
  return isTaggedOrPaddedMpegAudio(head.bytes) ? 'mp3' : null;
}

/** The library uses only these members of a `Blob`. */
function asBlob(file: SegmentReader): Blob {
  const blob: Pick<Blob, 'size' | 'type'> & { slice(start: number, end: number): unknown } = {
    size: file.sizeBytes,
    type: '',
    slice: (start, end) => ({
      arrayBuffer: async () => (await file.read(start, end)).buffer,
    }),
  };
  return blob as Blob;
}

const headBytes = 4_096;

function keepHead(head: { bytes: Buffer }): Detector {
  return {
    id: 'head',
    async detect(tokenizer) {
      const buffer = Buffer.alloc(headBytes);
      const length = await tokenizer.peekBuffer(buffer, { mayBeLess: true });
      head.bytes = buffer.subarray(0, length);
      return undefined;
    },
  };
}

/** Formats that the library knows only in part. */
const beforeTheLibrary: readonly Detector[] = [
  {
    // Wave files that may exceed 4 GiB (EBU Tech 3306, ITU-R BS.2088).
    id: 'large wave',
    async detect(tokenizer) {
      const head = Buffer.alloc(12);
      await tokenizer.peekBuffer(head, { mayBeLess: true });
      const form = head.toString('latin1', 0, 4);
      const isWave = (form === 'RF64' || form === 'BW64') && head.toString('latin1', 8) === 'WAVE';
      return isWave ? { ext: 'wav', mime: 'audio/wav' } : undefined;
    },
  },
  {
    // HEVC image brands (ISO/IEC 23008-12, annex B) that the library takes for video.
    id: 'heic brands',
    async detect(tokenizer) {
      const head = Buffer.alloc(12);
      await tokenizer.peekBuffer(head, { mayBeLess: true });
      const isHeic = /^ftyp(hei[ms]|hev[ms])$/.test(head.toString('latin1', 4));
      return isHeic ? { ext: 'heic', mime: 'image/heic' } : undefined;
    },
  },
  {
    // A password wraps an Office document in a compound file (MS-OFFCRYPTO 2.3.4.4).
    id: 'encrypted Office',
    async detect(tokenizer) {
      const head = Buffer.alloc(512);
      await tokenizer.peekBuffer(head, { mayBeLess: true });
      if (head.readBigUInt64BE(0) !== 0xd0cf11e0a1b11ae1n) return undefined;
      const sectorShift = head.readUInt16LE(30);
      if (sectorShift !== 9 && sectorShift !== 12) return undefined;
      const position = (head.readUInt32LE(48) + 1) * 2 ** sectorShift;
      if (position >= (tokenizer.fileInfo.size ?? 0)) return undefined;
      const directory = Buffer.alloc(headBytes);
      await tokenizer.peekBuffer(directory, { position, mayBeLess: true });
      const isWrapped = directory.includes(Buffer.from('EncryptedPackage\0', 'utf16le'));
      return isWrapped ? { ext: encryptedOffice, mime: 'application/encrypted' } : undefined;
    },
  },
];

/**
 * Detects MPEG audio that starts with an ID3 tag or padding: the library requires the first frame
 * at the beginning or right after the tag.
 */
function isTaggedOrPaddedMpegAudio(head: Buffer): boolean {
  if (head.toString('latin1', 0, 3) === 'ID3') return true;
  const start = head.findIndex((byte) => byte !== 0);
  const [sync = 0, header = 0, rates = 0] = head.subarray(Math.max(start, 0));
  const isVersion = (header & 0b1_1000) !== 0b0_1000;
  const isLayer = (header & 0b110) !== 0;
  const areRates = rates >> 4 !== 0b1111 && (rates & 0b1100) !== 0b1100;
  const isSync = sync === 0xff && (header & 0xe0) === 0xe0;
  return isSync && isVersion && isLayer && areRates && header !== 0xfe;
}

function isSystemError(trouble: unknown): boolean {
  return trouble instanceof Error && 'syscall' in trouble;
}
