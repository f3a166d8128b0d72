import { createHash, X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import {
  Certificate,
  type CertificateChainValidationEngine,
  ContentInfo,
  SignedData,
  TSTInfo,
} from 'pkijs';
import { BadEvidence } from '../verifier/evidence/bad-evidence.ts';
import { readToken, type TokenStatements } from '../verifier/timestamp/read-token.ts';
import { BadToken } from './bad-token.ts';
import { bufferOf, sha256Oid } from './encode-request.ts';
import { readAccuracy } from './read-accuracy.ts';
import { requirePermittedPath } from './require-permitted-path.ts';

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  extendedKeyUsage: '2.5.29.37',
  timeStamping: '1.3.6.1.5.5.7.3.8',
};

/** Tokens of large authorities have four certificates. */
const mostCertificates = 16;
/** Searches for issuers of a certificate, on all paths to a trusted one. */
const mostSearches = 16;

/** Names of Node's hashes for the hashes of signing certificates (RFC 5035). */
const hashNames: Readonly<Record<string, string>> = {
  [sha256Oid]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Content of a verified token. */
export interface VerifiedToken {
  /** ISO 8601. */
  readonly time: string;
  /** The time may be so many microseconds early or late; null if the token does not say. */
  readonly accuracyMicros: number | null;
  /** Subject of the certificate that signed it, on one line. */
  readonly authority: string;
}

export interface TokenExpectations {
  /** The data whose SHA-256 the token is of. */
  readonly data: Uint8Array;
  /** The nonce of the request; absent: any. */
  readonly nonce?: Uint8Array;
  /** Trusted certificates, DER. */
  readonly roots: readonly Uint8Array[];
}

/**
 * Verifies a time-stamp token (DER, RFC 3161): it is of the data, a certificate for timestamping
 * alone signed it, and a trusted certificate vouches for that one at the time of the token.
 * Revocation is not checked. Rejects with `BadToken`.
 */
export async function verifyToken(
  token: Uint8Array,
  { data, nonce, roots }: TokenExpectations,
): Promise<VerifiedToken> {
  const stated = read(token);
  const { signed, info, accuracyMicros } = parse(token);
  if (signed.signerInfos.length !== 1) throw new BadToken('it has not exactly one signature');
  if ((signed.certificates?.length ?? 0) > mostCertificates) {
    throw new BadToken(`it has more than ${mostCertificates} certificates`);
  }
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const imprint = Buffer.from(hashedMessage.valueBlock.valueHexView);
  if (hashAlgorithm.algorithmId !== sha256Oid || !imprint.equals(hash('sha256', data))) {
    throw new BadToken('it is of other data');
  }
  if (nonce !== undefined && !isNonce(info, nonce)) {
    throw new BadToken('it has not the nonce of the request');
  }
  const signer = await signerOf(signed, data, roots);
  requireTimestamping(signer);
  requireNamedSigner(signed, signer);
  // Both readers must take the same time out of the token.
  if (Math.abs(info.genTime.getTime() - Date.parse(stated.time)) > 1) {
    throw new BadToken('its time is ambiguous');
  }
  return { time: stated.time, accuracyMicros, authority: subjectOf(signer) };
}

/** Reads the token as readers of bundles do: they refuse more than the library does. */
function read(token: Uint8Array): TokenStatements {
  try {
    return readToken(token);
  } catch (cause) {
    if (!(cause instanceof BadEvidence)) throw cause;
    throw new BadToken(`it is no time-stamp token of a SHA-256 in DER: ${cause.message}`, {
      cause,
    });
  }
}

interface Parsed {
  readonly signed: SignedData;
  readonly info: TSTInfo;
  readonly accuracyMicros: number | null;
}

function parse(token: Uint8Array): Parsed {
  try {
    const { result, offset } = asn1js.fromBER(bufferOf(token));
    if (offset !== token.length) throw new Error('bytes follow the token');
    const whole = new ContentInfo({ schema: result });
    if (whole.contentType !== oids.signedData) throw new Error('no signed data');
    const signed = new SignedData({ schema: whole.content });
    const { eContentType, eContent } = signed.encapContentInfo;
    if (eContentType !== oids.tstInfo || eContent === undefined) throw new Error('no TSTInfo');
    const content = eContent.getValue();
    // The library takes large numbers for 0.
    const accuracyMicros = readAccuracy(new Uint8Array(content));
    return { signed, info: TSTInfo.fromBER(content), accuracyMicros };
  } catch (cause) {
    throw new BadToken('it is no time-stamp token', { cause });
  }
}

function isNonce(info: TSTInfo, nonce: Uint8Array): boolean {
  return info.nonce !== undefined && Buffer.from(info.nonce.valueBlock.valueHexView).equals(nonce);
}

/** The certificate whose key signed, up to a trusted one at the time of the token. */
async function signerOf(
  signed: SignedData,
  data: Uint8Array,
  roots: readonly Uint8Array[],
): Promise<Certificate> {
  const trustedCerts = roots.map((root) => Certificate.fromBER(bufferOf(root)));
  const findIssuer = searchIssuers();
  const verifying = { signer: 0, data: bufferOf(data), checkChain: true, trustedCerts, findIssuer };
  try {
    const verified = await signed.verify({ ...verifying, extendedMode: true });
    if (verified.signatureVerified !== true) throw new BadToken('its signature does not hold');
    if (verified.signerCertificate) {
      requirePermittedPath(verified.certificatePath);
      return verified.signerCertificate;
    }
  } catch (error) {
    if (error instanceof BadToken) throw error;
    throw new BadToken(`it cannot be verified: ${messageOf(error)}`, { cause: error });
  }
  throw new BadToken('it has no certificate of its signer');
}

/**
 * Limits the search for a path to a trusted certificate. The library would follow certificates that
 * have issued each other for ever.
 */
function searchIssuers() {
  let searches = 0;
  return (certificate: Certificate, engine: CertificateChainValidationEngine) => {
    searches += 1;
    if (searches > mostSearches) throw new Error('no short path leads to a trusted certificate');
    return engine.defaultFindIssuer(certificate, engine);
  };
}

/** RFC 3161, 2.3: the extension is critical, and timestamping is the only use of the key. */
function requireTimestamping({ extensions = [] }: Certificate): void {
  const usage = extensions.find(({ extnID }) => extnID === oids.extendedKeyUsage);
  const uses: readonly string[] = usage?.parsedValue?.keyPurposes ?? [];
  if (usage?.critical === true && uses.length === 1 && uses[0] === oids.timeStamping) return;
  throw new BadToken('the certificate of its signer is not for timestamping alone');
}

/** RFC 3161, 2.4.2: signed attributes name the content and the signer's certificate (RFC 5816). */
function requireNamedSigner({ signerInfos }: SignedData, signer: Certificate): void {
  const attributes = signerInfos[0]?.signedAttrs?.attributes ?? [];
  const attributeOf = (oid: string): unknown =>
    attributes.find(({ type }) => type === oid)?.values[0] ?? null;
  const content = attributeOf(oids.contentType);
  if (!(content instanceof asn1js.ObjectIdentifier) || content.getValue() !== oids.tstInfo) {
    throw new BadToken('its signature is not of a time');
  }
  const named =
    namedHash(attributeOf(oids.signingCertificateV2), sha256Oid) ??
    namedHash(attributeOf(oids.signingCertificate), null);
  const bytes = Buffer.from(signer.toSchema(true).toBER());
  if (named === null || !named.digest.equals(hash(named.name, bytes))) {
    throw new BadToken('its signature does not name the certificate of its signer');
  }
}

/**
 * The hash of the first certificate that an attribute SigningCertificate names. Of the first version
 * (null), the hash is SHA-1; of the second the algorithm may be left out.
 */
function namedHash(
  value: unknown,
  byDefault: string | null,
): { readonly name: string; readonly digest: Buffer } | null {
  const [first] = partsOf(partsOf(value)[0]);
  const parts = partsOf(first);
  const digest = parts.find((part) => part instanceof asn1js.OctetString);
  if (digest === undefined) return null;
  const [algorithm] = partsOf(parts.find((part) => part instanceof asn1js.Sequence));
  const isNamed =
    parts[0] instanceof asn1js.Sequence && algorithm instanceof asn1js.ObjectIdentifier;
  const oid = isNamed ? algorithm.getValue() : byDefault;
  const name = byDefault === null ? 'sha1' : hashNames[oid ?? ''];
  if (name === undefined) return null;
  return { name, digest: Buffer.from(digest.valueBlock.valueHexView) };
}

function partsOf(value: unknown): readonly asn1js.BaseBlock[] {
  return value instanceof asn1js.Sequence ? value.valueBlock.value : [];
}

function subjectOf(signer: Certificate): string {
  const { subject } = new X509Certificate(Buffer.from(signer.toSchema(true).toBER()));
  return subject.split('\n').join(', ');
}

function hash(name: string, data: Uint8Array): Buffer {
  return createHash(name).update(data).digest();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
