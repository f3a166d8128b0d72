import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { logSignature, namedKey, type ReadKey, readLogKey } from '../../verifier/log/note-key.ts';
import { isKeyName } from '../../verifier/log/signed-note.ts';

/** Signer of notes: an Ed25519 key under a name (C2SP signed-note). */
export interface NoteSigner extends ReadKey {
  /** Returns 64 bytes, always the same for the same message. */
  sign(message: string): Buffer;
}

const keyBytes = 32;
/** DER prefix of RFC 8410, followed by the 32 bytes of the private key. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * @param seed 32 bytes: the private key of RFC 8032
 * @param type of its signatures
 */
export function noteSigner(name: string, seed: Uint8Array, type = logSignature): NoteSigner {
  if (!isKeyName(name)) throw new TypeError(`no name for a key: ${name}`);
  if (seed.length !== keyBytes) throw new TypeError('the seed of an Ed25519 key has 32 bytes');
  const der = Buffer.concat([privatePrefix, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const exported = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    ...namedKey(name, type, exported.subarray(-keyBytes)),
    sign: (message) => sign(null, Buffer.from(message, 'utf8'), key),
  };
}

/** The `vkey` of the same key under another name; null if the `vkey` or the name is invalid. */
export function renameKey(vkey: string, name: string): string | null {
  const key = readLogKey(vkey);
  return key === null || !isKeyName(name) ? null : namedKey(name, key.type, key.publicKey).vkey;
}
