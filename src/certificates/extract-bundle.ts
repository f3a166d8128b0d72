import { isUtf8 } from 'node:buffer';
import { bundleKey, bundlesInPdf } from './bundles-in-pdf.ts';
import { attachedFiles } from './pdf-reading/attached-files.ts';
import { type AttachedStream, PdfDocument } from './pdf-reading/pdf-document.ts';
import { AmbiguousPdf, UnreadablePdf } from './pdf-reading/unreadable-pdf.ts';
import { maxBundleBytes } from './read-bundle.ts';

/** Far above any certificate: what is larger is not read. */
export const maxCertificateBytes = 8 * 1024 * 1024;

/**
 * The text of the proof bundle that is attached to a certificate, whatever the attachment is called.
 * The PDF may be of anybody: time and memory are bounded, and what it does not say plainly is not
 * guessed. Throws `UnreadablePdf` unless one bundle is attached, and no other one is anywhere in the
 * bytes of the file: not even in an earlier revision, where another reader may find it.
 */
export function extractBundle(pdf: Uint8Array): string {
  if (pdf.length > maxCertificateBytes) {
    throw new UnreadablePdf(`it is larger than ${maxCertificateBytes} bytes`);
  }
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const document = new PdfDocument(bytes);
  if (document.isEncrypted) throw new UnreadablePdf('it is encrypted');
  const { attached, trouble } = attachedStreams(document);
  const { keys, starts, isSearched } = bundlesInPdf(bytes);
  if (keys.size > 1) throw new AmbiguousPdf(several);
  const bundle = attached.find(({ start }) => starts.has(start))?.content;
  if (bundle === undefined) throw trouble ?? new UnreadablePdf('no proof bundle is attached to it');
  if (trouble !== null || !isSearched || !keys.has(bundleKey(bundle)))
    throw new AmbiguousPdf(unsearched);
  if (!isUtf8(bundle)) throw new UnreadablePdf('the bundle that is attached to it is not UTF-8');
  // A byte order mark, as some programs write it, is passed over.
  return bundle.toString('utf8').replace(/^\ufeff/, '');
}

const several =
  'it holds several different proof bundles, perhaps one of them in an earlier revision of the file, and does not say which one counts';
const unsearched =
  'it holds a proof bundle beside data that is damaged, or more than a certificate has, and that may hold another one';

const maxAttachments = 100;

/** Every attached file is looked into. One that is unreadable or too large may be some other file. */
function attachedStreams(document: PdfDocument) {
  const files = attachedFiles(document);
  if (files.length > maxAttachments) throw new UnreadablePdf('too many files are attached to it');
  const attached: AttachedStream[] = [];
  let trouble: UnreadablePdf | null = null;
  for (const file of files) {
    try {
      const stream = document.stream(file, maxBundleBytes);
      if (stream !== null) attached.push(stream);
    } catch (error) {
      if (!(error instanceof UnreadablePdf)) throw error;
      trouble ??= error;
    }
  }
  return { attached, trouble };
}
