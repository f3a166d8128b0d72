import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** Half the order of the curve secp256k1. */
const halfOrder =
  0x7fff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_5d57_6e73_57a4_501d_dfe9_2f46_681b_20a0n;
/** SubjectPublicKeyInfo of a compressed key of secp256k1, without the key. */
const spkiPrefix = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex');
const maxKeys = 1_000;

/** True if the key, 33 bytes, signed the message. */
export type Secp256k1Check = (
  key: Uint8Array,
  message: readonly Uint8Array[],
  signature: Uint8Array,
) => boolean;

/**
 * Verifies signatures over SHA-512Half in strict DER with a low S, as `verifySignature` of the
 * verifier, by OpenSSL.
 */
export function createSecp256k1Check(): Secp256k1Check {
  const keys = new Map<string, KeyObject>();
  const keyOf = (bytes: Uint8Array) => {
    const name = Buffer.from(bytes).toString('hex');
    const known = keys.get(name);
    if (known !== undefined) return known;
    if (keys.size >= maxKeys) keys.clear();
    const der = Buffer.concat([spkiPrefix, bytes]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    keys.set(name, key);
    return key;
  };
  return (key, message, signature) => {
    if (!isCanonical(signature)) return false;
    try {
      // ECDSA uses the first 256 bits of a longer hash: SHA-512 is then SHA-512Half.
      return verify('sha512', Buffer.concat(message), keyOf(key), signature);
    } catch {
      return false; // not a point of the curve
    }
  };
}

/** True for strict DER with the lower of the two possible values of s. */
function isCanonical(signature: Uint8Array): boolean {
  const [tag, length, ...rest] = signature;
  if (tag !== 0x30 || length !== rest.length) return false;
  const r = readInteger(rest, 0);
  const s = r && readInteger(rest, r.end);
  return s !== null && s.end === rest.length && s.value <= halfOrder;
}

function readInteger(bytes: readonly number[], at: number) {
  const length = bytes[at + 1] ?? 0;
  const content = bytes.slice(at + 2, at + 2 + length);
  const [first = 0, second = 0] = content;
  const isMinimal = first !== 0 || (content.length > 1 && second > 127);
  if (bytes[at] !== 2 || length === 0 || content.length !== length) return null;
  if (first > 127 || !isMinimal) return null;
  return { value: BigInt(`0x${Buffer.from(content).toString('hex')}`), end: at + 2 + length };
}
