import { type KeyObject, X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import { Certificate } from 'pkijs';

/** A key with its certificate, by which certificates (PDF) are signed. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  /** DER of the certificate of the key, and then of its issuers. */
  readonly certificates: readonly Uint8Array[];
}

/** The key cannot sign PDFs. The message continues the name of its variable or file. */
export class UnusableSigningKey extends Error {}

const mostCertificates = 8;
const curves = ['prime256v1', 'secp384r1', 'secp521r1'];
const leastRsaBits = 2_048;

/**
 * Puts the certificate of the key first. Throws `UnusableSigningKey` if no certificate is of the key,
 * if that certificate may not sign, or if readers of PDFs do not know such keys.
 */
export function signingKeyOf(privateKey: KeyObject, found: readonly Uint8Array[]): SigningKey {
  const type = privateKey.asymmetricKeyType;
  const { modulusLength = 0, namedCurve = '' } = privateKey.asymmetricKeyDetails ?? {};
  const isUsual =
    (type === 'rsa' && modulusLength >= leastRsaBits) ||
    (type === 'ec' && curves.includes(namedCurve));
  if (!isUsual) {
    throw new UnusableSigningKey(
      `has a key that cannot sign PDFs: use RSA with at least ${leastRsaBits} bits, or ECDSA with P-256, P-384 or P-521`,
    );
  }
  if (found.length > mostCertificates) {
    throw new UnusableSigningKey(`has more than ${mostCertificates} certificates`);
  }
  const isOfKey = (der: Uint8Array) => new X509Certificate(der).checkPrivateKey(privateKey);
  const own = found.find(isOfKey);
  if (own === undefined) {
    throw new UnusableSigningKey(
      'has no certificate of its key: export key and certificate together',
    );
  }
  if (!maySign(own)) {
    throw new UnusableSigningKey(
      'has a certificate that may not sign documents: its key usage needs digitalSignature or nonRepudiation',
    );
  }
  return { privateKey, certificates: [own, ...found.filter((der) => der !== own)] };
}

/** True without the extension, which then restricts nothing (RFC 5280, 4.2.1.3). */
function maySign(der: Uint8Array): boolean {
  const { extensions = [] } = Certificate.fromBER(new Uint8Array(der).buffer);
  const usage = extensions.find(({ extnID }) => extnID === '2.5.29.15')?.parsedValue;
  if (!(usage instanceof asn1js.BitString)) return true;
  const [bits = 0] = usage.valueBlock.valueHexView;
  return (bits & 0b1100_0000) !== 0;
}

/** Start and end of the validity of the key's certificate. */
export function validityOf({ certificates }: SigningKey): {
  readonly from: Date;
  readonly to: Date;
} {
  const { validFrom, validTo } = new X509Certificate(certificates[0] ?? new Uint8Array());
  return { from: new Date(validFrom), to: new Date(validTo) };
}
