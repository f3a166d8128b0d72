import { isUtf8 } from 'node:buffer';
import { bundleFormat } from './bundle.ts';
import { attachedFiles } from './pdf-reading/attached-files.ts';
import { PdfDocument } from './pdf-reading/pdf-document.ts';
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
  if (!isUtf8(bundle)) throw new UnreadablePdf('the bundle that is attached to it is not UTF-8');
  return textOf(bundle);
}

const maxAttachments = 100;

/** Every attached file is looked into. One that is unreadable or too large may be some other file. */
function attachedBundles(document: PdfDocument) {
  const files = attachedFiles(document);
  if (files.length > maxAttachments) throw new UnreadablePdf('too many files are attached to it');
  const bundles: Buffer[] = [];
  let trouble: UnreadablePdf | null = null;
  for (const file of files) {
    try {
      const bytes = document.stream(file, maxBundleBytes);
      if (bytes !== null && isBundle(bytes)) bundles.push(bytes);
    } catch (error) {
      if (!(error instanceof UnreadablePdf)) throw error;
      trouble ??= error;
    }
  }
  return { bundles, trouble };
}

/** Whether it is a bundle, also a damaged one, or one whose JSON is written with escapes. */
function isBundle(bytes: Buffer): boolean {
  const text = textOf(bytes);
  return text.includes(`"${bundleFormat}"`) || formatOf(text) === bundleFormat;
}

function formatOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { format?: unknown } | null)?.format;
  } catch {
    return null;
  }
}

/** A byte order mark, as some programs write it, is passed over. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}
