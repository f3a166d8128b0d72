import { cosignedText, timeBytes } from '../../verifier/log/cosignature.ts';
import { cosignature } from '../../verifier/log/note-key.ts';
import { noteSigner } from '../checkpoint/note-key.ts';
import { signatureLine } from '../checkpoint/signed-note.ts';

/** Signs checkpoints as a witness. */
export interface Cosigner {
  readonly vkey: string;
  /** The line of a cosignature of this checkpoint's text at this time, with its newline. */
  cosign(text: string, seconds: number): string;
}

/** @param seed 32 bytes: the private key of RFC 8032 */
export function createCosigner(witness: string, seed: Uint8Array): Cosigner {
  const { name, keyId, vkey, sign } = noteSigner(witness, seed, cosignature);
  return {
    vkey,
    cosign(text, seconds) {
      const time = Buffer.alloc(timeBytes);
      time.writeBigUInt64BE(BigInt(seconds));
      const signed = sign(cosignedText(text, seconds));
      return signatureLine({ name, keyId, signature: Buffer.concat([time, signed]) });
    },
  };
}
