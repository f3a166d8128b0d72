import { open } from 'node:fs/promises';
import type { Bundle } from '../src/certificates/bundle.ts';
import { extractBundle, maxCertificateBytes } from '../src/certificates/extract-bundle.ts';
import { AmbiguousPdf, UnreadablePdf } from '../src/certificates/pdf-reading/unreadable-pdf.ts';
import { maxBundleBytes, readBundle } from '../src/certificates/read-bundle.ts';

/** The proof bundle of a file, or the one that is attached to a certificate. Of either nothing is believed. */
export async function readEvidence(given: {
  readonly bundle?: string;
  readonly certificate?: string;
}): Promise<Bundle> {
  const { bundle, certificate } = given;
  if (bundle !== undefined && certificate === undefined) {
    return naming(bundle, async () => readBundle(decode(await readAtMost(bundle, maxBundleBytes))));
  }
  if (certificate !== undefined && bundle === undefined) {
    return naming(certificate, async () =>
      readBundle(extract(await readAtMost(certificate, maxCertificateBytes))),
    );
  }
  throw new Error('say either --bundle FILE or --certificate FILE');
}

/** Other programs may open a PDF that is encrypted or damaged. None can say which of two bundles counts. */
function extract(pdf: Buffer): string {
  try {
    return extractBundle(pdf);
  } catch (error) {
    if (!(error instanceof UnreadablePdf) || error instanceof AmbiguousPdf) throw error;
    throw new Error(`${error.message} (if a PDF reader saves an attached bundle, use --bundle)`);
  }
}

async function naming<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    throw new Error(`cannot read ${path}`, { cause });
  }
}

/** The whole file, whatever it is: a device or a pipe never ends. Throws if there is more. */
async function readAtMost(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const chunks: Buffer[] = [];
    let left = maxBytes;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      left -= chunk.length;
      if (left < 0) throw new Error(`it is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

/** A byte order mark, as some programs write it, is passed over. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8 text');
  }
}
