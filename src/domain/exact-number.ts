/**
 * Doubles represent every decimal of so many significant digits exactly, but for those near zero.
 */
const safeDigits = 15;
const leastNormal = 2 ** -1_022;

/** Maximum number of digits that `toPrecision` accepts. */
const maxDigits = 100;

/**
 * True if a number in JSON, read as a double, keeps its value. Notation does not matter: `1.50`
 * equals `15e-1`, and minus zero equals zero. Whole numbers must keep every digit, since they may
 * be ids. A fraction may have more digits than identify its double, if they are digits of that
 * double. Many programs write 0.1 as `0.10000000000000001`.
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

/** Number of digits from the first that is not 0. */
function digitsOf(written: string): number {
  const [digits = ''] = written.split(/[eE]/);
  return digits.replace(/^-?0*\.?0*/, '').replace('.', '').length;
}

/** Canonical form of a decimal: texts of the same number are equal. */
function decimalOf(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const shift = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${shift}`;
}
