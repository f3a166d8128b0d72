import { randomBytes } from 'node:crypto';
import * as asn1js from 'asn1js';
import { AlgorithmIdentifier, MessageImprint, TimeStampReq } from 'pkijs';

export const sha256Oid = '2.16.840.1.101.3.4.2.1';
const nonceBytes = 8;

/** A request for a time-stamp token. */
export interface TimestampRequest {
  /** DER. */
  readonly bytes: Buffer;
  /** Content bytes of the nonce, an ASN.1 integer. */
  readonly nonce: Buffer;
}

/**
 * Encodes a request for a token of a SHA-256 (32 bytes), with a random nonce. Asks for the
 * certificate of the authority (RFC 3161, 2.4.1).
 */
export function encodeRequest(sha256: Buffer): TimestampRequest {
  const nonce = randomBytes(nonceBytes);
  // A positive integer without a leading zero byte: exactly these bytes in DER.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({
        algorithmId: sha256Oid,
        algorithmParams: new asn1js.Null(),
      }),
      hashedMessage: new asn1js.OctetString({ valueHex: bufferOf(sha256) }),
    }),
    nonce: new asn1js.Integer({ valueHex: bufferOf(nonce) }),
    certReq: true,
  });
  return { bytes: Buffer.from(request.toSchema().toBER()), nonce };
}

/** The bytes in a buffer of their own, as the ASN.1 library takes them. */
export function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
