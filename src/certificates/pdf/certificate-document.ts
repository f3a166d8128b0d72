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
  /** Bytes so far. Declared only, because the constructor of pdfkit writes the first ones. */
  declare private chunks: Uint8Array[] | undefined;
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

  /** Like the method of pdfkit, but compresses the stream at its end, and encodes its text at once. */
  override ref(data: Record<string, unknown> = {}): Reference {
    const reference = super.ref(data);
    const finalize = reference.finalize.bind(reference);
    let text = '';
    const flush = () => {
      if (text !== '') (reference.buffer as Uint8Array[]).push(Buffer.from(text, 'latin1'));
      text = '';
    };
    reference.write = (chunk) => {
      // The order of the keys of the dictionary.
      reference.data.Length ??= 0;
      if (typeof chunk === 'string') {
        text += `${chunk}\n`;
        return;
      }
      flush();
      (reference.buffer as Uint8Array[]).push(chunk);
    };
    reference.finalize = () => {
      flush();
      const isPlain = reference.data.Filter === undefined && reference.data.Type !== 'Metadata';
      if (isPlain && reference.buffer.length > 0) {
        reference.buffer = [compressed(reference.buffer as Uint8Array[])];
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

  /** Like the method of pdfkit, but keeps the bytes instead of streaming them. */
  override _write(data: Uint8Array | string): void {
    const chunk = typeof data === 'string' ? Buffer.from(`${data}\n`, 'latin1') : data;
    this.chunks ??= [];
    this.chunks.push(chunk);
    this._offset += chunk.length;
  }

  /** Ends the document and returns its bytes. */
  bytes(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.on('end', () => resolve(new Uint8Array(Buffer.concat(this.chunks ?? []))));
      this.on('error', reject);
      this.resume();
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

/** Maximum entries per cache. Most certificates share font subsets. */
const maxRemembered = 64;
const subsets = new Map<string, Uint8Array>();
const profiles = new Map<string, Uint8Array>();
/** Compressed subsets of fonts by the subset that is remembered, which no longer changes. */
const compressedSubsets = new WeakMap<Uint8Array, Uint8Array>();

/** Compresses fonts and the colour profile once. Pages and attachments do not repeat. */
function compressed(chunks: readonly Uint8Array[]): Uint8Array {
  const [subset] = chunks;
  const known = subset && compressedSubsets.get(subset);
  if (known !== undefined) return known;
  const bytes = Buffer.concat(chunks);
  const compress = () => zlibSync(bytes, { level: 4 });
  if (bytes.toString('latin1', 36, 40) === 'acsp') {
    return memoise(profiles, bytes.toString('latin1'), compress);
  }
  const made = compress();
  if (chunks.length === 1 && subset !== undefined) compressedSubsets.set(subset, made);
  return made;
}

function memoise(memory: Map<string, Uint8Array>, key: string, make: () => Uint8Array): Uint8Array {
  const before = memory.get(key);
  if (before !== undefined) return before;
  const made = make();
  if (memory.size >= maxRemembered) memory.clear();
  memory.set(key, made);
  return made;
}
