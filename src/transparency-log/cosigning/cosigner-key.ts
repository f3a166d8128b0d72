import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { cosignedText, readCosignature, timeBytes } from '../../verifier/log/cosignature.ts';
import { cosignature, keyIdOf, mayCosign, readNoteKey } from '../../verifier/log/note-key.ts';
import { isKeyName } from '../../verifier/log/signed-note.ts';
import { type NoteSignature, signatureLine } from '../checkpoint/signed-note.ts';

/** Public key of a cosigner, as its `vkey` states it (C2SP tlog-cosignature, signed-note). */
export interface CosignerKey {
  readonly name: string;
  /** 4 bytes. */
  readonly keyId: Buffer;
  readonly vkey: string;
  /** Identifies the key apart from its name: signature type and key, in base64. */
  readonly material: string;
  /**
   * Returns the time of a valid cosignature of this checkpoint's text, in seconds since 1970; null
   * for an invalid one. Null itself for a type of signature that is not known here: cosignatures of
   * such a key are kept and passed on, and count for nothing.
   */
  readonly verify: ((text: string, signature: Uint8Array) => number | null) | null;
}

/** Signs checkpoints as a witness. */
export interface Cosigner {
  readonly vkey: string;
  /** The line of a cosignature of this checkpoint's text at this time, with its newline. */
  cosign(text: string, seconds: number): string;
}

const keyBytes = 32;
/** DER prefixes of RFC 8410, followed by the 32 bytes of the key. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** @param seed 32 bytes: the private key of RFC 8032 */
export function createCosigner(name: string, seed: Uint8Array): Cosigner {
  if (!isKeyName(name)) throw new TypeError(`no name for a key: ${name}`);
  const der = Buffer.concat([privatePrefix, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const exported = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const typed = Buffer.concat([Buffer.of(cosignature), exported.subarray(-keyBytes)]);
  const keyId = Buffer.from(keyIdOf(name, typed));
  return {
    vkey: `${name}+${keyId.toString('hex')}+${typed.toString('base64')}`,
    cosign(text, seconds) {
      const time = Buffer.alloc(timeBytes);
      time.writeBigUInt64BE(BigInt(seconds));
      const signed = sign(null, messageOf(text, seconds), key);
      return signatureLine({ name, keyId, signature: Buffer.concat([time, signed]) });
    },
  };
}

/** Parses a `vkey` of a cosigner; null if it is malformed, or the key of a log. */
export function parseCosignerKey(vkey: string): CosignerKey | null {
  const read = readNoteKey(vkey);
  if (read === null || !mayCosign(read)) return null;
  const { name } = read;
  const keyId = Buffer.from(read.keyId);
  const material = vkey.split('+').slice(2).join('+');
  if (read.type !== cosignature) return { name, keyId, vkey, material, verify: null };
  const der = Buffer.concat([publicPrefix, read.publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return {
    ...{ name, keyId, vkey, material },
    verify(text, signature) {
      const cosigned = readCosignature(signature);
      if (cosigned === null) return null;
      const message = messageOf(text, cosigned.seconds);
      return verify(null, message, key, cosigned.signature) ? cosigned.seconds : null;
    },
  };
}

/** True if name and id of a signature are those of the key. */
export function isOf(key: CosignerKey, { name, keyId }: NoteSignature): boolean {
  return key.name === name && key.keyId.equals(keyId);
}

function messageOf(text: string, seconds: number): Buffer {
  return Buffer.from(cosignedText(text, seconds), 'utf8');
}
