import * as asn1js from 'asn1js';

/** The statement of a token (TSTInfo) with another accuracy in DER, in hex; empty: with none. */
export function withAccuracy(content: Uint8Array, hex: string): Buffer {
  const info = asn1js.fromBER(new Uint8Array(content).buffer).result as asn1js.Sequence;
  const accuracy = hex === '' ? [] : [asn1js.fromBER(Buffer.from(hex, 'hex')).result];
  info.valueBlock.value.splice(5, 1, ...accuracy);
  return Buffer.from(info.toBER());
}
