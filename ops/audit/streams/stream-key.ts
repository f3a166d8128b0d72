import { hash } from 'node:crypto';

/** Numbers of a key: 96 bits of a hash. A collision is not to be expected. */
export const keyNumbers = 3;

/** Writes the key of a stream: the first bits of the SHA-256 of its name. */
export function writeStreamKey(stream: string, keys: Uint32Array, at: number): void {
  writeHashNumbers(stream, keys, at, keyNumbers);
}

/** Writes the first bits of the SHA-256 of a text into `count` numbers. */
export function writeHashNumbers(
  text: string,
  numbers: Uint32Array,
  at: number,
  count: number,
): void {
  // As a string first: bytes of their own would cost an allocation outside the heap.
  const bits = hash('sha256', text, 'latin1');
  for (let number = 0; number < count; number += 1) {
    const from = 4 * number;
    numbers[at + number] = wordAt(bits, from) * 65_536 + wordAt(bits, from + 2);
  }
}

function wordAt(bits: string, at: number): number {
  return bits.charCodeAt(at) * 256 + bits.charCodeAt(at + 1);
}
