import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeBase64 } from '../evidence/base64.ts';
import { canonicalBase64 } from './canonical-base64.ts';
import { isKeyName, type ReadSignature } from './signed-note.ts';

/** Public key of a signer of notes, as its `vkey` states it (C2SP signed-note). */
export interface ReadKey {
  readonly name: string;
  /** 4 bytes. */
  readonly keyId: Uint8Array;
  /** `<name>+<key id, hex>+<base64 of type ‖ public key>`. */
  readonly vkey: string;
  /** Type of its signatures; see `logSignature` and `cosignature`. */
  readonly type: number;
  /** Public key: 32 bytes of Ed25519 for the two types that are known here. */
  readonly publicKey: Uint8Array;
}

/** Type of Ed25519 signatures of logs. */
export const logSignature = 1;
/** Type of Ed25519 cosignatures of witnesses (C2SP tlog-cosignature). */
export const cosignature = 4;
/** Types of signatures that logs make, and that are no cosignatures (C2SP signed-note). */
const notCosignatures: readonly number[] = [0, logSignature, 2, 3, 5];

/** True for the types of witnesses' keys, also later ones that are not known here. */
function mayCosign({ type }: ReadKey): boolean {
  return !notCosignatures.includes(type);
}

/** True if signatures of the key can be verified here: of a log, an issuer or a witness. */
export function isVerifiable({ type }: Pick<ReadKey, 'type'>): boolean {
  return type === logSignature || type === cosignature;
}

/** Reads a `vkey`. Null if it is malformed, or if the id of a key of a known type does not fit. */
export function readNoteKey(vkey: string): ReadKey | null {
  const [name = '', id = '', ...rest] = vkey.split('+');
  const typed = canonicalBase64(rest.join('+'));
  if (!isKeyName(name) || !/^[0-9a-f]{8}$/.test(id) || typed === null || typed.length < 2) {
    return null;
  }
  const type = typed[0] ?? 0;
  const publicKey = typed.subarray(1);
  const isKnown = isVerifiable({ type });
  if (isKnown && (publicKey.length !== 32 || bytesToHex(keyIdOf(name, typed)) !== id)) return null;
  return { name, keyId: hexToBytes(id), vkey, type, publicKey };
}

/** Reads the `vkey` of a log or an issuer; null if it is malformed, or of another type. */
export function readLogKey(vkey: string): ReadKey | null {
  const key = readNoteKey(vkey);
  return key?.type === logSignature ? key : null;
}

/** Reads the `vkey` of a witness, also of a type not known here; null for any other text. */
export function readWitnessKey(vkey: string): ReadKey | null {
  const key = readNoteKey(vkey);
  return key !== null && mayCosign(key) ? key : null;
}

/** The key with this name, of these bytes. */
export function namedKey(name: string, type: number, publicKey: Uint8Array): ReadKey {
  const typed = concatBytes(Uint8Array.of(type), publicKey);
  const keyId = keyIdOf(name, typed);
  const vkey = `${name}+${bytesToHex(keyId)}+${encodeBase64(typed)}`;
  return { name, keyId, vkey, type, publicKey };
}

/** True if a signature names this key. */
export function isNamedBy(
  { name, keyId }: Pick<ReadSignature, 'name' | 'keyId'>,
  key: ReadKey,
): boolean {
  return key.name === name && bytesToHex(key.keyId) === bytesToHex(keyId);
}

/**
 * Id of a key: the first 4 bytes of SHA-256 of its name, a newline, its type and the public key.
 */
function keyIdOf(name: string, typed: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`${name}\n`), typed)).subarray(0, 4);
}
