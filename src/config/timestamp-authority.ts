import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Secret } from './secret.ts';
import { Mistake } from './variable.ts';

/** A time-stamping authority (RFC 3161). */
export interface TimestampAuthorityConfig {
  readonly url: Secret<string>;
  /** Certificates to trust: DER, as base64. */
  readonly roots: readonly string[];
}

/** The authority of the variables; null without one. */
export function authorityOf({
  TSA_URL: url,
  TSA_CERTIFICATES: roots,
}: {
  readonly TSA_URL?: Secret<string> | undefined;
  readonly TSA_CERTIFICATES?: readonly string[] | undefined;
}): TimestampAuthorityConfig | null {
  return url === undefined || roots === undefined ? null : { url, roots };
}

/** Reads the certificates of a PEM file. Returns them in DER, as base64. Throws a `Mistake`. */
export function readCertificates(path: string): readonly string[] {
  const found = read(path).match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  if (found === null) throw new Mistake(`names ${path}, which holds no certificate in PEM`);
  return found.map((pem, index) => {
    try {
      return new X509Certificate(pem).raw.toString('base64');
    } catch {
      throw new Mistake(`names ${path}, whose certificate ${index + 1} cannot be read`);
    }
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Mistake(`names ${path}, which cannot be read (${code})`);
  }
}
