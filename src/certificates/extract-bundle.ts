import { isUtf8 } from 'node:buffer';
import { bundleFormat } from './bundle.ts';
import { PdfDocument } from './pdf-reading/pdf-document.ts';
import { type PdfDictionary, PdfReference, type PdfValue } from './pdf-reading/pdf-value.ts';
import { UnreadablePdf } from './pdf-reading/unreadable-pdf.ts';
import { maxBundleBytes } from './read-bundle.ts';

/** Far above any certificate: what is larger is not read. */
export const maxCertificateBytes = 8 * 1024 * 1024;

/**
 * The text of the proof bundle that is attached to a certificate, whatever the attachment is called.
 * The PDF may be of anybody: time and memory are bounded, and what it does not say plainly is not
 * guessed. Throws `UnreadablePdf` if there is not exactly one bundle.
 */
export function extractBundle(pdf: Uint8Array): string {
  if (pdf.length > maxCertificateBytes) {
    throw new UnreadablePdf(`it is larger than ${maxCertificateBytes} bytes`);
  }
  const document = new PdfDocument(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
  if (document.isEncrypted) throw new UnreadablePdf('it is encrypted');
  const { bundles, trouble } = attachedBundles(document);
  const [bundle, second] = bundles;
  if (bundle === undefined) {
    throw trouble ?? new UnreadablePdf('no proof bundle is attached to it');
  }
  if (second !== undefined) throw new UnreadablePdf('several proof bundles are attached to it');
  return bundle;
}

const maxAttachments = 100;

/** Every attached file is looked into. One that is unreadable or too large may be some other file. */
function attachedBundles(document: PdfDocument) {
  const files = new Set(attachedFiles(document).map(({ number }) => number));
  if (files.size > maxAttachments) throw new UnreadablePdf('too many files are attached to it');
  const bundles: string[] = [];
  let trouble: UnreadablePdf | null = null;
  for (const number of files) {
    try {
      const bytes = document.stream(new PdfReference(number), maxBundleBytes);
      const text = bytes === null ? null : bundleText(bytes);
      if (text !== null) bundles.push(text);
    } catch (error) {
      if (!(error instanceof UnreadablePdf)) throw error;
      trouble ??= error;
    }
  }
  return { bundles, trouble };
}

/**
 * The text of a bundle, also of a damaged one; null if it is some other file. Throws `UnreadablePdf` for
 * what is not UTF-8, which two readers may read in two ways.
 */
function bundleText(bytes: Buffer): string | null {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (!text.includes(`"${bundleFormat}"`) && formatOf(text) !== bundleFormat) return null;
  if (!isUtf8(bytes)) throw new UnreadablePdf('the bundle that is attached to it is not UTF-8');
  return text;
}

/** Also where it is written with escapes. */
function formatOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { format?: unknown } | null)?.format;
  } catch {
    return null;
  }
}

/** The files in the catalogue's tree of names and its associated files (ISO 32000-2, 7.11.4, 14.13). */
function attachedFiles(document: PdfDocument): PdfReference[] {
  const { catalogue } = document;
  const names = document.dictionary(catalogue.get('Names'));
  const named = namesUnder(document, names?.get('EmbeddedFiles'));
  return named.concat(document.list(catalogue.get('AF'))).flatMap((specification) => {
    const embedded = document.dictionary(document.dictionary(specification)?.get('EF'));
    return embeddedKeys
      .map((key) => embedded?.get(key))
      .filter((file) => file instanceof PdfReference);
  });
}

/** Readers choose among them, each in its own order (ISO 32000-1, table 45). */
const embeddedKeys = ['F', 'UF', 'DOS', 'Mac', 'Unix'];

/** The values of a tree of names (ISO 32000-1, 7.9.6). */
function namesUnder(document: PdfDocument, root: PdfValue | undefined): PdfValue[] {
  const seen = new Set<PdfDictionary>();
  const todo = [root];
  const found: PdfValue[] = [];
  while (todo.length > 0) {
    const node = document.dictionary(todo.pop());
    if (node === null || seen.has(node)) continue;
    seen.add(node);
    for (const kid of document.list(node.get('Kids'))) todo.push(kid);
    document.list(node.get('Names')).forEach((value, index) => {
      if (index % 2 === 1) found.push(value);
    });
  }
  return found;
}
