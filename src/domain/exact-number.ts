/** Doubles hold every decimal of so many significant digits, but for those near zero. */
const safeDigits = 15;
const leastNormal = 2 ** -1_022;

/** `toPrecision` writes no more. */
const maxDigits = 100;

/**
 * Whether a number in JSON, read as a double, is still the same number: how it is written does not
 * matter, `1.50` and `15e-1` are one, and minus zero is zero. Whole numbers are kept to the last digit,
 * since they may be ids. A fraction may also show more digits than tell its double from others, as
 * long as they are those of the double: many write 0.1 as `0.10000000000000001`.
 */
export function isExactNumber(written: string): boolean {
  const value = Number(written);
  if (value === 0) return /^-?0(\.0*)?([eE]|$)/.test(written);
  const isNormal = Number.isFinite(value) && Math.abs(value) >= leastNormal;
  if (written.length <= safeDigits && isNormal) return true;
  if (!Number.isFinite(value)) return false;
  const decimal = decimalOf(written);
  if (decimal === decimalOf(String(value))) return true;
  const digits = digitsOf(written);
  if (Number.isInteger(value) || digits > maxDigits) return false;
  return decimal === decimalOf(value.toPrecision(digits));
}

/** How many there are from the first that is not 0. */
function digitsOf(written: string): number {
  const [digits = ''] = written.split(/[eE]/);
  return digits.replace(/^-?0*\.?0*/, '').replace('.', '').length;
}

/** One writing for all that mean the same number. */
function decimalOf(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const shift = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${shift}`;
}
