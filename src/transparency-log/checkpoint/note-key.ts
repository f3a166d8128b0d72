import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { decodeBase64 } from './base64.ts';

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

const ed25519 = 1;
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
  const [name = '', keyId, ...rest] = vkey.split('+');
  const publicKey = parseKey(rest.join('+'));
  if (!isKeyName(name) || publicKey === null) return null;
  return named(name, publicKey).keyId.toString('hex') === keyId ? { name, publicKey } : null;
}

/** Checks that the name is not empty and has no white space, control character or `+`. */
export function isKeyName(name: string): boolean {
  return name.isWellFormed() && /^[^\s\p{White_Space}\p{Cc}+]+$/u.test(name);
}

function named(name: string, publicKey: Uint8Array) {
  const typed = Buffer.concat([Buffer.of(ed25519), publicKey]);
  const text = Buffer.concat([Buffer.from(`${name}\n`, 'utf8'), typed]);
  const keyId = hash('sha256', text, 'buffer').subarray(0, 4);
  return { name, keyId, vkey: `${name}+${keyId.toString('hex')}+${typed.toString('base64')}` };
}

function parseKey(base64: string): Buffer | null {
  const typed = decodeBase64(base64);
  return typed?.length === 1 + keyBytes && typed[0] === ed25519 ? typed.subarray(1) : null;
}

function publicKeyOf(bytes: Uint8Array): KeyObject {
  const der = Buffer.concat([publicPrefix, bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}
