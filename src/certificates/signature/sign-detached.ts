import { createHash } from 'node:crypto';
import * as asn1js from 'asn1js';
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import type { SigningKey } from './signing-key.ts';

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  signatureTimeStamp: '1.2.840.113549.1.9.16.2.14',
};
const hash = 'SHA-256';

/**
 * Signs data as a detached CMS in DER, as ETSI EN 319 142-1 demands it for PAdES: the signed
 * attributes name the signer's certificate, and no time. `stamp` adds a time-stamp token (DER) of the
 * signature; null for a signature without one.
 */
export async function signDetached(
  key: SigningKey,
  data: Uint8Array,
  stamp: (signature: Uint8Array) => Promise<Uint8Array | null>,
): Promise<Uint8Array> {
  const certificates = key.certificates.map((der) => Certificate.fromBER(bufferOf(der)));
  const [own] = certificates;
  const [ownDer] = key.certificates;
  if (own === undefined || ownDer === undefined) throw new Error('the key has no certificate');
  const { issuer, serialNumber } = own;
  const signer = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    // In the order of DER: each is longer than the one before.
    signedAttrs: new SignedAndUnsignedAttributes({
      type: 0,
      attributes: [
        attribute(oids.contentType, new asn1js.ObjectIdentifier({ value: oids.data })),
        attribute(oids.messageDigest, octets(sha256(data))),
        attribute(oids.signingCertificateV2, signingCertificate(ownDer)),
      ],
    }),
  });
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: oids.data }),
    signerInfos: [signer],
    certificates,
  });
  await signed.sign(await importKey(key), 0, hash, bufferOf(data));
  const token = await stamp(new Uint8Array(signer.signature.valueBlock.valueHexView));
  if (token !== null) {
    signer.unsignedAttrs = new SignedAndUnsignedAttributes({
      type: 1,
      attributes: [attribute(oids.signatureTimeStamp, asn1js.fromBER(bufferOf(token)).result)],
    });
  }
  const content = new ContentInfo({ contentType: oids.signedData, content: signed.toSchema(true) });
  return new Uint8Array(content.toSchema().toBER());
}

function attribute(type: string, value: unknown): Attribute {
  return new Attribute({ type, values: [value] });
}

function octets(bytes: Uint8Array): asn1js.OctetString {
  return new asn1js.OctetString({ valueHex: bufferOf(bytes) });
}

/** SigningCertificateV2 (RFC 5035) with SHA-256, which is the default and so is left out. */
function signingCertificate(der: Uint8Array): asn1js.Sequence {
  const sequence = (value: asn1js.BaseBlock) => new asn1js.Sequence({ value: [value] });
  return sequence(sequence(sequence(octets(sha256(der)))));
}

async function importKey({ privateKey }: SigningKey): Promise<CryptoKey> {
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const namedCurve = curveNames[privateKey.asymmetricKeyDetails?.namedCurve ?? ''];
  const algorithm =
    namedCurve === undefined
      ? { name: 'RSASSA-PKCS1-v1_5', hash }
      : { name: 'ECDSA', namedCurve, hash };
  return crypto.subtle.importKey('pkcs8', bufferOf(der), algorithm, false, ['sign']);
}

/** Names of the Web Cryptography API for those of OpenSSL. */
const curveNames: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

/** The bytes in a buffer of their own, as the ASN.1 library takes them. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
