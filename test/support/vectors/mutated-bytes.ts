import type { Random } from '../seed.ts';

/** A whole number from 0 to `limit` - 1. */
export function upTo(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}

export function pick<T>(from: readonly T[], random: Random): T {
  const found = from[upTo(from.length, random)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** The bytes with one change: altered, missing, doubled, moved, or with a token put in or in place of others. */
export function mutatedBytes(
  bytes: Buffer<ArrayBufferLike>,
  random: Random,
  tokens: readonly Uint8Array[],
): Buffer<ArrayBufferLike> {
  const at = upTo(bytes.length + 1, random);
  const size = upTo(pick([2, 5, 40], random), random);
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at + size);
  switch (upTo(6, random)) {
    case 0: {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << upTo(8, random));
      return copy;
    }
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, bytes.subarray(at, at + size), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([before, pick(tokens, random), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([before, pick(tokens, random), after]);
    default: {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = upTo(256, random);
      return copy;
    }
  }
}
