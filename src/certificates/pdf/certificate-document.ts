import { zlibSync } from 'fflate';
import PDFDocument, { type EmbeddedFont, type Reference } from 'pdfkit';
import { embedWholeCharacters } from './embed-whole-characters.ts';
import type { ShapedFont } from './shaped-font.ts';

/**
 * A PDF/A-3b document whose bytes depend on nothing but what is put into it: no clock, no random,
 * and compression in JavaScript, because what zlib makes depends on the processor.
 */
export class CertificateDocument extends PDFDocument {
  readonly #subsets = new Set<EmbeddedFont>();

  constructor(about: { readonly proofId: string; readonly issuedAt: Date }) {
    const { proofId, issuedAt } = about;
    super({
      size: 'A4',
      margin: 0,
      font: null,
      autoFirstPage: false,
      bufferPages: true,
      compress: false,
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      tagged: true,
      displayTitle: true,
      lang: 'en',
      // The file's identifier is made of these; only characters that XML leaves alone.
      info: {
        Title: `Certificate of existence ${proofId}`,
        Author: 'Proofmark',
        Subject: `Proof ${proofId}`,
        Creator: 'Proofmark',
        Producer: 'Proofmark',
        CreationDate: issuedAt,
      },
    });
  }

  /** Like pdfkit's, but compressed when it is finished. */
  override ref(data: Record<string, unknown> = {}): Reference {
    const reference = super.ref(data);
    const finalize = reference.finalize.bind(reference);
    reference.finalize = () => {
      const isPlain = reference.data.Filter === undefined && reference.data.Type !== 'Metadata';
      if (isPlain && reference.buffer.length > 0) {
        reference.buffer = [compressed(Buffer.concat(reference.buffer as Uint8Array[]))];
        reference.data.Filter = 'FlateDecode';
      }
      finalize();
    };
    return reference;
  }

  /**
   * Makes it the current font. Each subset begins with the same printable ASCII, so that most
   * certificates embed the same subset, made and compressed once.
   */
  useFont(shaped: ShapedFont, size: number): this {
    const { name, font } = shaped;
    this.font(font, name).fontSize(size);
    const embedded = this._font;
    if (this.#subsets.has(embedded)) return this;
    this.#subsets.add(embedded);
    const glyphs = embedWholeCharacters(embedded, shaped);
    if (withAscii.has(name)) embedded.encode(ascii, ['ltr']);
    const { subset } = embedded;
    const encode = subset.encode.bind(subset);
    subset.encode = () => memoise(subsets, `${name} ${glyphs.describe()}`, encode);
    return this;
  }

  /** All bytes, once the document is ended. */
  bytes(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      this.on('data', (chunk) => chunks.push(chunk));
      this.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
      this.on('error', reject);
      this.end();
    });
  }
}

const withAscii = new Set(['sans', 'bold', 'mono']);
const ascii = Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index)).join(
  '',
);

/** What is the same in most certificates: subsets of fonts and, by their bytes, compressed streams. */
const maxRemembered = 64;
const subsets = new Map<string, Uint8Array>();
const streams = new Map<string, Uint8Array>();
const minRememberedBytes = 2_000;

function compressed(bytes: Buffer): Uint8Array {
  const compress = () => zlibSync(bytes, { level: 4 });
  // A font (TrueType) or the colour profile; pages and attachments are never the same again.
  const isLong = bytes.length > minRememberedBytes;
  const isFont = isLong && bytes.readUInt32BE(0) === 0x00010000;
  const isProfile = isLong && bytes.toString('latin1', 36, 40) === 'acsp';
  return isFont || isProfile ? memoise(streams, bytes.toString('latin1'), compress) : compress();
}

function memoise(memory: Map<string, Uint8Array>, key: string, make: () => Uint8Array): Uint8Array {
  const before = memory.get(key);
  if (before !== undefined) return before;
  const made = make();
  if (memory.size >= maxRemembered) memory.clear();
  memory.set(key, made);
  return made;
}
