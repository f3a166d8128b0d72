import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';

const { Point, utils } = ed25519;

/** Keys of small order by their order: their sums with themselves are few points. */
export const smallOrderKeys = {
  1: Buffer.from(`01${'00'.repeat(31)}`, 'hex'),
  2: Buffer.from(`ec${'ff'.repeat(30)}7f`, 'hex'),
  4: Buffer.alloc(32),
  8: Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'),
};

/**
 * Ed25519 signature by the owner of a key whose R has a part of order 8. It holds with the equation
 * that multiplies by the cofactor, and not with the one that does not.
 */
export function torsionSignature(secretKey: Uint8Array, message: Uint8Array): Buffer {
  const { scalar, pointBytes } = utils.getExtendedPublicKey(secretKey);
  const random = 7n;
  const r = Point.BASE.multiply(random).add(Point.fromBytes(smallOrderKeys[8])).toBytes();
  const s = Point.Fn.create(random + challenge(r, pointBytes, message) * scalar);
  return Buffer.concat([r, Point.Fn.toBytes(s)]);
}

/** Ed25519 signature of a key of small order, which anybody can make. It holds for some values of S only. */
export function smallOrderSignature(key: Uint8Array, message: Uint8Array, holds = true): Buffer {
  const point = Point.fromBytes(key);
  for (let s = 1n; ; s += 1n) {
    const r = Point.BASE.multiply(s).toBytes();
    const isNeutral = point.multiplyUnsafe(challenge(r, key, message)).is0();
    if (isNeutral === holds) return Buffer.concat([r, Point.Fn.toBytes(s)]);
  }
}

/** Signature whose R is the neutral element, in its canonical encoding or in another one. */
export function neutralSignature(
  secretKey: Uint8Array,
  message: Uint8Array,
  isCanonical: boolean,
): Buffer {
  const { scalar, pointBytes } = utils.getExtendedPublicKey(secretKey);
  const r = isCanonical ? smallOrderKeys[1] : Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex');
  const s = Point.Fn.create(challenge(r, pointBytes, message) * scalar);
  return Buffer.concat([r, Point.Fn.toBytes(s)]);
}

function challenge(r: Uint8Array, key: Uint8Array, message: Uint8Array): bigint {
  const hash = createHash('sha512').update(r).update(key).update(message).digest();
  return Point.Fn.create(bytesToNumberLE(hash));
}
