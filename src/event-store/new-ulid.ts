import { ulid } from 'ulid';
import { takeRandomBytes } from './random-pool.ts';

const randomCharacters = 16;

/** A new ULID of this moment. Its 80 random bits are the system's; the library would ask for each five. */
export function newUlid(): string {
  const bytes = takeRandomBytes(randomCharacters);
  let index = 0;
  return ulid(undefined, () => {
    index += 1;
    return (bytes[index - 1] ?? 0) / 256;
  });
}
