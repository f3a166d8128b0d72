import * as asn1js from 'asn1js';
import { ContentInfo, SignedData } from 'pkijs';

const signatureTimeStamp = '1.2.840.113549.1.9.16.2.14';

/** Signature of a signed PDF, and its time-stamp token in DER; null without a token. */
export function signatureIn(pdf: Buffer): {
  readonly signature: Buffer;
  readonly token: Buffer | null;
} {
  const [, hex = ''] = /\/Contents <([0-9a-f]{400,})>/i.exec(pdf.toString('latin1')) ?? [];
  const cms = new Uint8Array(Buffer.from(hex, 'hex')).buffer;
  const content = new ContentInfo({ schema: asn1js.fromBER(cms).result });
  const [signer] = new SignedData({ schema: content.content }).signerInfos;
  if (signer === undefined) throw new Error('the PDF has no signature');
  const { unsignedAttrs, signature } = signer;
  const stamp = unsignedAttrs?.attributes.find(({ type }) => type === signatureTimeStamp);
  const [token] = stamp?.values ?? [];
  return {
    signature: Buffer.from(signature.valueBlock.valueHexView),
    token: token === undefined ? null : Buffer.from(token.toBER()),
  };
}
