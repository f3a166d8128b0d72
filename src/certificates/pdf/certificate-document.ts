import { zlibSync } from 'fflate';
import PDFDocument, { type EmbeddedFont, type Reference } from 'pdfkit';
import { embedWholeCharacters } from './embed-whole-characters.ts';
import type { ShapedFont } from './shaped-font.ts';

/**
 * A PDF/A-3b document whose bytes depend only on its content, not on a clock or random numbers.
 * Compresses in JavaScript, because the output of zlib depends on the processor.
 */
export class CertificateDocument extends PDFDocument {
  readonly #subsets = new Set<EmbeddedFont>();
  /** True if the document declares PDF/UA-1 and keeps blanks. */
  readonly isAccessible: boolean;

  constructor(about: {
    readonly title: string;
    readonly proofId: string;
    readonly issuedAt: Date;
    /** True to declare PDF/UA-1, and to keep blanks: several in a row, and those at the ends of lines. */
    readonly isAccessible?: boolean;
  }) {
    const { title, proofId, issuedAt, isAccessible = false } = about;
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
      // The file's identifier is derived from these. Use only characters that XML does not escape.
      info: {
        Title: `${title} ${proofId}`,
        Author: 'Proofmark',
        Subject: `Proof ${proofId}`,
        Creator: 'Proofmark',
        Producer: 'Proofmark',
        CreationDate: issuedAt,
      },
    });
    this.isAccessible = isAccessible;
    if (isAccessible) this.appendXML(accessible);
  }

  /** Like the method of pdfkit, but compresses the stream at its end. */
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

  /** The method of pdfkit expects a form with fonts. A signature field needs none. */
  override endAcroForm(): this {
    return this;
  }

  /**
   * Sets the current font. Each subset of a font in `withAscii` begins with all printable ASCII, so
   * that most certificates embed the same subset, built and compressed once.
   */
  useFont(shaped: ShapedFont, size: number): this {
    const { name, font } = shaped;
    this.font(font, name).fontSize(size);
    const embedded = this._font;
    if (this.#subsets.has(embedded)) return this;
    this.#subsets.add(embedded);
    const glyphs = embedWholeCharacters(embedded, shaped, { keepsBlanks: this.isAccessible });
    if (withAscii.has(name)) embedded.encode(ascii, ['ltr']);
    const { subset } = embedded;
    const encode = subset.encode.bind(subset);
    subset.encode = () => memoise(subsets, `${name} ${glyphs.describe()}`, encode);
    return this;
  }

  /** Ends the document and returns its bytes. */
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

/** PDF/A demands a description of properties that XMP does not define (ISO 19005-3, 6.6.2.3). */
const accessible = `
        <rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about="">
            <pdfuaid:part>1</pdfuaid:part>
        </rdf:Description>
        <rdf:Description xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:about="">
            <pdfaExtension:schemas>
                <rdf:Bag>
                    <rdf:li rdf:parseType="Resource">
                        <pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema>
                        <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
                        <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
                        <pdfaSchema:property>
                            <rdf:Seq>
                                <rdf:li rdf:parseType="Resource">
                                    <pdfaProperty:name>part</pdfaProperty:name>
                                    <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
                                    <pdfaProperty:category>internal</pdfaProperty:category>
                                    <pdfaProperty:description>Indicates, which part of ISO 14289 standard is followed</pdfaProperty:description>
                                </rdf:li>
                            </rdf:Seq>
                        </pdfaSchema:property>
                    </rdf:li>
                </rdf:Bag>
            </pdfaExtension:schemas>
        </rdf:Description>
        `;

const withAscii = new Set(['sans', 'bold', 'mono']);
const ascii = Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index)).join(
  '',
);

/** Maximum entries per cache. Most certificates share font subsets and compressed streams. */
const maxRemembered = 64;
const subsets = new Map<string, Uint8Array>();
const streams = new Map<string, Uint8Array>();
const minRememberedBytes = 2_000;

function compressed(bytes: Buffer): Uint8Array {
  const compress = () => zlibSync(bytes, { level: 4 });
  // Cache only fonts (TrueType) and the colour profile: pages and attachments do not repeat.
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
