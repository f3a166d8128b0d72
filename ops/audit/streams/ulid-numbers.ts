/** Numbers of a ULID. */
export const idNumbers = 4;

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const digits = new Uint8Array(128);
for (const [value, digit] of [...alphabet].entries()) digits[digit.charCodeAt(0)] = value;

/** Writes the 128 bits of a ULID into four numbers. Other texts give any numbers. */
export function writeUlidNumbers(ulid: string, numbers: Uint32Array, at: number): void {
  // 2 + 30 bits, and three times 32 bits that begin within a digit.
  let [bits, held, next] = [0, 0, at];
  for (let index = 0; index < ulid.length && next < at + idNumbers; index += 1) {
    const digit = digits[ulid.charCodeAt(index) & 127] as number;
    // The first digit of a ULID has three bits, of 128 in all.
    const width = index === 0 ? 3 : 5;
    const room = 32 - held;
    if (width < room) {
      bits = (bits << width) | digit;
      held += width;
      continue;
    }
    const left = width - room;
    numbers[next] = ((bits << room) | (digit >>> left)) >>> 0;
    next += 1;
    bits = digit & ((1 << left) - 1);
    held = left;
  }
}
