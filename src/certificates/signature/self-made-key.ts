import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import * as asn1js from 'asn1js';
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension } from 'pkijs';
import { type SigningKey, signingKeyOf, UnusableSigningKey } from './signing-key.ts';

const commonName = 'Proofmark with a self-made certificate';
const years = 20;

/**
 * A new P-256 key with a certificate that it signed itself, as PEM. It shows that a PDF was not
 * changed, but no authority vouches for the name of the signer.
 */
export async function makeSigningKey(now: Date): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const { subtle } = crypto;
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const key = await subtle.importKey('pkcs8', new Uint8Array(pkcs8), algorithm, false, ['sign']);
  const verifying = await subtle.importKey('spki', new Uint8Array(spki), algorithm, true, [
    'verify',
  ]);
  const certificate = new Certificate({ version: 2 });
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  certificate.serialNumber = new asn1js.Integer({ valueHex: new Uint8Array(serial).buffer });
  for (const name of [certificate.issuer, certificate.subject]) {
    const value = new asn1js.Utf8String({ value: commonName });
    name.typesAndValues.push(new AttributeTypeAndValue({ type: '2.5.4.3', value }));
  }
  certificate.notBefore.value = new Date(now.getTime() - 86_400_000);
  certificate.notAfter.value = new Date(now.getTime() + years * 365.25 * 86_400_000);
  certificate.extensions = [
    extension('2.5.29.19', new BasicConstraints({ cA: false }).toSchema()),
    // digitalSignature and nonRepudiation (RFC 5280, 4.2.1.3)
    extension(
      '2.5.29.15',
      new asn1js.BitString({ valueHex: Uint8Array.of(0xc0).buffer, unusedBits: 6 }),
    ),
  ];
  await certificate.subjectPublicKeyInfo.importKey(verifying);
  await certificate.sign(key, 'SHA-256');
  const der = Buffer.from(certificate.toSchema(true).toBER()).toString('base64');
  const lines = der.match(/.{1,64}/g) ?? [];
  return [
    privateKey.export({ format: 'pem', type: 'pkcs8' }).toString().trimEnd(),
    '-----BEGIN CERTIFICATE-----',
    ...lines,
    '-----END CERTIFICATE-----\n',
  ].join('\n');
}

function extension(extnID: string, value: asn1js.BaseBlock): Extension {
  return new Extension({ extnID, critical: true, extnValue: value.toBER() });
}

/** Reads the PEM of `makeSigningKey`. Throws `UnusableSigningKey`. */
export function readSelfMadeKey(pem: string): SigningKey {
  const [certificate] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(pem) ?? [];
  try {
    const body = (certificate ?? '').replace(/-----[^-]*-----|\s/g, '');
    return signingKeyOf(createPrivateKey(pem), [Buffer.from(body, 'base64')]);
  } catch (cause) {
    if (cause instanceof UnusableSigningKey) throw cause;
    throw new UnusableSigningKey('holds no key with its certificate', { cause });
  }
}
