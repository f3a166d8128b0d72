import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { keyIdOf, logSignature, readNoteKey } from '../../verifier/log/note-key.ts';
import { isKeyName } from '../../verifier/log/signed-note.ts';

/** Signer of notes: an Ed25519 key under a name (C2SP signed-note, signature type 0x01). */
export interface NoteSigner {
  readonly name: string;
  /** The first 4 bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key). */
  readonly keyId: Buffer;
  /** Verifier key for others: `<name>+<key id, hex>+<base64 of 0x01 ‖ public key>`. */
  readonly vkey: string;
  /** Returns 64 bytes, always the same for the same text. */
  sign(text: string): Buffer;
}

/** Verifier of a signer's notes. */
export interface NoteVerifier {
  readonly name: string;
  readonly keyId: Buffer;
  readonly vkey: string;
  verify(text: string, signature: Uint8Array): boolean;
}

const keyBytes = 32;
/** DER prefix of RFC 8410, followed by the 32 bytes of the private key. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** @param seed 32 bytes: the private key of RFC 8032 */
export function noteSigner(name: string, seed: Uint8Array): NoteSigner {
  if (!isKeyName(name)) throw new TypeError(`no name for a key: ${name}`);
  if (seed.length !== keyBytes) throw new TypeError('the seed of an Ed25519 key has 32 bytes');
  const der = Buffer.concat([privatePrefix, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(-keyBytes);
  return { ...named(name, publicKey), sign: (text) => sign(null, Buffer.from(text, 'utf8'), key) };
}

/** Parses a `vkey`; null if it is malformed or not an Ed25519 key. */
export function parseVerifierKey(vkey: string): NoteVerifier | null {
  const parsed = parseVkey(vkey);
  if (parsed === null) return null;
  const key = publicKeyOf(parsed.publicKey);
  return {
    ...named(parsed.name, parsed.publicKey),
    verify: (text, signature) => verify(null, Buffer.from(text, 'utf8'), key, signature),
  };
}

/** The `vkey` of the same key under another name; null if the `vkey` or the name is invalid. */
export function renameKey(vkey: string, name: string): string | null {
  const parsed = parseVkey(vkey);
  return parsed === null || !isKeyName(name) ? null : named(name, parsed.publicKey).vkey;
}

function parseVkey(vkey: string): { readonly name: string; readonly publicKey: Buffer } | null {
  const key = readNoteKey(vkey);
  if (key?.type !== logSignature) return null;
  return { name: key.name, publicKey: Buffer.from(key.publicKey) };
}

function named(name: string, publicKey: Uint8Array) {
  const typed = Buffer.concat([Buffer.of(logSignature), publicKey]);
  const keyId = Buffer.from(keyIdOf(name, typed));
  return { name, keyId, vkey: `${name}+${keyId.toString('hex')}+${typed.toString('base64')}` };
}

function publicKeyOf(bytes: Uint8Array): KeyObject {
  const der = Buffer.concat([publicPrefix, bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}
