import { ulid } from 'ulid';
import { takeRandomBytes } from './random-pool.ts';

const randomCharacters = 16;

/**
 * A new ULID of this moment, with 80 random bits of the system. The library would ask the system
 * once for every 5 bits.
 */
export function newUlid(): string {
  const bytes = takeRandomBytes(randomCharacters);
  let index = 0;
  return ulid(undefined, () => {
    index += 1;
    return (bytes[index - 1] ?? 0) / 256;
  });
}
