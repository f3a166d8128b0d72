import { X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { OperatorError } from '../../src/errors/operator-error.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { decodeBundle } from '../../src/verifier/bundle/decode-bundle.ts';
import { extractBundle, maxCertificateBytes } from '../../src/verifier/bundle/extract-bundle.ts';
import { NoBundle, type WhyNoBundle } from '../../src/verifier/bundle/no-bundle.ts';
import { maxBundleBytes, readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { maxXpopBytes } from '../../src/verifier/xpop/read-xpop.ts';

/**
 * Reads the proof bundle from its file, or from the certificate that it is attached to. Its content
 * is not verified yet.
 */
export async function readEvidence(given: {
  readonly bundle?: string;
  readonly certificate?: string;
}): Promise<Bundle> {
  const { bundle, certificate } = given;
  if (bundle !== undefined && certificate === undefined) {
    return naming(bundle, async () =>
      readBundle(decodeBundle(await readAtMost(bundle, maxBundleBytes))),
    );
  }
  if (certificate !== undefined && bundle === undefined) {
    return naming(certificate, async () =>
      readBundle(await extract(await readAtMost(certificate, maxCertificateBytes))),
    );
  }
  throw new OperatorError('give either --bundle FILE or --certificate FILE');
}

const maxCertificatesBytes = 1024 * 1024;

/** Reads the certificates (DER) of a PEM file. */
export async function readCertificates(path: string): Promise<readonly Uint8Array[]> {
  return naming(path, async () => {
    const text = (await readAtMost(path, maxCertificatesBytes)).toString('latin1');
    const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    if (found.length === 0) throw new OperatorError('it has no certificate in PEM');
    return found.map((pem, place) => {
      try {
        return new X509Certificate(pem).raw;
      } catch {
        throw new OperatorError(`its certificate ${place + 1} cannot be read`);
      }
    });
  });
}

const maxKeyFileBytes = 64 * 1024;

/** Reads the text of a file with keys of issuers. */
export async function readKeyFile(path: string): Promise<string> {
  return naming(path, async () => (await readAtMost(path, maxKeyFileBytes)).toString('utf8'));
}

/** Reads the text of a service's record of a certificate. */
export async function readRecordFile(path: string, maxBytes: number): Promise<string> {
  return naming(path, async () => (await readAtMost(path, maxBytes)).toString('utf8'));
}

/** Reads the text of an XPOP. Its content is not verified yet. */
export async function readXpopFile(path: string): Promise<string> {
  return naming(path, async () => (await readAtMost(path, maxXpopBytes)).toString('utf8'));
}

/**
 * Other programs may open an encrypted or damaged PDF. No program can tell which of two bundles
 * counts.
 */
async function extract(pdf: Buffer): Promise<string> {
  try {
    return await extractBundle(pdf);
  } catch (error) {
    if (!(error instanceof NoBundle) || !hopeful.includes(error.why)) throw error;
    throw new OperatorError(`${error.message}. ${advice}`);
  }
}

const advice =
  'If a PDF reader can save an attached bundle (JSON), verify that file with --bundle instead';
const hopeful: readonly WhyNoBundle[] = ['noBundle', 'unreadablePdf'];

async function naming<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    throw new Error(`cannot read ${path}`, { cause });
  }
}

/** Reads a whole file. Throws beyond `maxBytes`, since a device or a pipe may never end. */
async function readAtMost(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const chunks: Buffer[] = [];
    let left = maxBytes;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      left -= chunk.length;
      if (left < 0)
        throw new OperatorError(
          `the file is larger than ${maxBytes} bytes, the limit for such a file`,
        );
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}
