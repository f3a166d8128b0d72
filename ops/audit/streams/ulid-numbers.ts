/** Numbers of a ULID. */
export const idNumbers = 4;

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const digits = new Uint8Array(128);
for (const [value, digit] of [...alphabet].entries()) digits[digit.charCodeAt(0)] = value;

/** Value of each byte as a digit; 255 for all others. */
const digitOf = new Uint8Array(256).fill(255);
for (const [value, digit] of [...alphabet].entries()) digitOf[digit.charCodeAt(0)] = value;
const ulidBytes = 26;

/** As `writeUlidNumbers`, from bytes. Returns false for bytes that are no ULID. */
export function readUlidNumbers(
  bytes: Uint8Array,
  from: number,
  to: number,
  numbers: Uint32Array,
  at: number,
): boolean {
  const first = digitOf[bytes[from] as number] as number;
  if (to - from !== ulidBytes || first > 7) return false;
  // Six digits of 30 bits and two bits of the next digit, and so on; all of them are checked first.
  for (let n = 1; n < ulidBytes; n += 1) {
    if (digitOf[bytes[from + n] as number] === 255) return false;
  }
  const digit = (n: number) => digitOf[bytes[from + n] as number] as number;
  const six = (n: number) =>
    (digit(n) << 25) |
    (digit(n + 1) << 20) |
    (digit(n + 2) << 15) |
    (digit(n + 3) << 10) |
    (digit(n + 4) << 5) |
    digit(n + 5);
  // 3 bits, then 25 digits of 5 bits.
  const [one, two, three, four] = [six(1), six(7), six(13), six(19)];
  numbers[at] = ((first << 29) | (one >>> 1)) >>> 0;
  numbers[at + 1] = ((one << 31) | (two << 1) | (three >>> 29)) >>> 0;
  numbers[at + 2] = ((three << 3) | (four >>> 27)) >>> 0;
  numbers[at + 3] = ((four << 5) | digit(25)) >>> 0;
  return true;
}

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
