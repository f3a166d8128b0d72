import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** A key pair. Keys and signatures are upper-case hex in the forms of the ledger. */
export interface SigningKey {
  /** 33 bytes. */
  readonly publicKey: string;
  readonly sign: (bytes: Uint8Array) => string;
}

/** The ed25519 key of a secret: 32 bytes in hex. */
export function ed25519Key(secret: string): SigningKey {
  const key = privateKey('302e020100300506032b657004220420', secret, '', 'pkcs8');
  return {
    publicKey: `ED${upperHex(Buffer.from(coordinate(key, 'x')))}`,
    sign: (bytes) => upperHex(sign(null, bytes, key)),
  };
}

/**
 * The secp256k1 key of a secret. ECDSA uses the first 256 bits of a longer hash. So signing by
 * SHA-512 is signing by SHA-512Half, as the ledger requires. OpenSSL takes 0.5 ms, and
 * ripple-keypairs 0.9 ms.
 */
export function secp256k1Key(secret: string): SigningKey {
  const key = privateKey('302e0201010420', secret, 'a00706052b8104000a', 'sec1');
  const [x, y] = [coordinate(key, 'x'), coordinate(key, 'y')];
  const isOdd = ((y.at(-1) ?? 0) & 1) === 1;
  return {
    publicKey: upperHex(Buffer.concat([Buffer.of(isOdd ? 3 : 2), x])),
    sign(bytes) {
      const pair = sign('sha512', bytes, { key, dsaEncoding: 'ieee-p1363' });
      return upperHex(canonicalSignature(pair.subarray(0, 32), pair.subarray(32)));
    },
  };
}

function privateKey(before: string, secret: string, after: string, type: 'pkcs8' | 'sec1') {
  const der = Buffer.from(`${before}${secret}${after}`, 'hex');
  return createPrivateKey({ key: der, format: 'der', type });
}

function coordinate(key: KeyObject, name: 'x' | 'y'): Buffer {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' })[name] ?? '', 'base64url');
}

/** Order of the curve secp256k1. */
const order = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/** DER of the fully canonical form: of the two possible values of s, the lower one. */
function canonicalSignature(r: Buffer, s: Buffer): Buffer {
  const value = BigInt(`0x${s.toString('hex')}`);
  const low = value > order / 2n ? order - value : value;
  const lowBytes = Buffer.from(low.toString(16).padStart(64, '0'), 'hex');
  const content = Buffer.concat([derInteger(r), derInteger(lowBytes)]);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}

/** A positive integer in DER: no needless zeros, and a zero before a set highest bit. */
function derInteger(bytes: Buffer): Buffer {
  const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  const padding = (digits[0] ?? 0) > 127 ? Buffer.of(0) : Buffer.alloc(0);
  return Buffer.concat([Buffer.of(0x02, padding.length + digits.length), padding, digits]);
}

function upperHex(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase();
}
