import { attachedFiles } from '../pdf/attached-files.ts';
import type { Bytes } from '../pdf/inflate.ts';
import { type AttachedStream, PdfDocument } from '../pdf/pdf-document.ts';
import { UnreadablePdf } from '../pdf/unreadable-pdf.ts';
import { bundleKey, bundlesInPdf } from './bundles-in-pdf.ts';
import { decodeBundle } from './decode-bundle.ts';
import { NoBundle } from './no-bundle.ts';

/** Limit far above the size of any certificate; larger files are not read. */
export const maxCertificateBytes = 8 * 1024 * 1024;

/**
 * The text of the proof bundle attached to a certificate, under any file name. The PDF is
 * untrusted: time and memory are bounded, and ambiguous structures are refused. Throws `NoBundle`
 * unless exactly one bundle is attached and the bytes of the file hold no other bundle. Earlier
 * revisions of the file count too, because another reader may find a bundle there.
 */
export async function extractBundle(certificate: Uint8Array): Promise<string> {
  if (certificate.length > maxCertificateBytes) {
    throw new NoBundle('noBundle', `the PDF is larger than ${maxCertificateBytes} bytes`);
  }
  const pdf = new Uint8Array(certificate);
  const { keys, starts, isSearched, isDamaged } = await bundlesInPdf(pdf);
  if (keys.size > 1) throw new NoBundle('severalBundles', several);
  if (isDamaged) throw new NoBundle('malformedBundle', damaged);
  const bundle = await attachedBundle(pdf, starts);
  if (!isSearched || !keys.has(bundleKey(bundle))) throw new NoBundle('unsearchedPdf', unsearched);
  return decodeBundle(bundle);
}

const asIssued = 'Ask for the certificate as it was issued';
const several = `the PDF contains several different proof bundles, perhaps one of them in an earlier revision of the file. None is used, because nothing shows which one is valid. ${asIssued}`;
const unsearched = `besides its proof bundle, the PDF contains damaged data, or more data than any certificate. The bundle is not used, because another bundle may be hidden there. ${asIssued}`;
const damaged = `the proof bundle in the PDF is damaged. ${asIssued}`;

const notAttached =
  'no proof bundle is attached to the file. Use the original: printing a certificate, or saving it again, may remove the bundle';

/** The attached bundle. `starts` are the indexes of the first bytes of all bundles in the file. */
async function attachedBundle(pdf: Bytes, starts: ReadonlySet<number>): Promise<Bytes> {
  try {
    const document = await PdfDocument.open(pdf);
    const { attached, trouble } = await attachedStreams(document);
    const bundle = attached.find(({ start }) => starts.has(start));
    if (bundle === undefined) {
      throw trouble ?? new UnreadablePdf(notAttached);
    }
    if (trouble !== null) throw new NoBundle('unsearchedPdf', unsearched);
    return bundle.content;
  } catch (error) {
    if (!(error instanceof UnreadablePdf)) throw error;
    throw new NoBundle(starts.size > 0 ? 'unreadablePdf' : 'noBundle', error.message);
  }
}

const maxAttachments = 100;

/**
 * Reads every attached file. Reports an unreadable or oversized file as `trouble` instead of
 * throwing, because that file may be something other than the bundle.
 */
async function attachedStreams(document: PdfDocument) {
  const attached: AttachedStream[] = [];
  let trouble: UnreadablePdf | null = null;
  for (const file of await attachedFiles(document)) {
    try {
      const stream = await document.stream(file);
      if (stream !== null) attached.push(stream);
    } catch (error) {
      if (!(error instanceof UnreadablePdf)) throw error;
      trouble ??= error;
    }
  }
  if (attached.length > maxAttachments)
    throw new UnreadablePdf(`more than ${maxAttachments} files are attached to it`);
  return { attached, trouble };
}
