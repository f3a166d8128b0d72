import { type KeyObject, X509Certificate } from 'node:crypto';

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
 * or if readers of PDFs do not know such keys.
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
  return { privateKey, certificates: [own, ...found.filter((der) => der !== own)] };
}

/** Start and end of the validity of the key's certificate. */
export function validityOf({ certificates }: SigningKey): {
  readonly from: Date;
  readonly to: Date;
} {
  const { validFrom, validTo } = new X509Certificate(certificates[0] ?? new Uint8Array());
  return { from: new Date(validFrom), to: new Date(validTo) };
}
