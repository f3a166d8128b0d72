/** Doubles hold every decimal of so many significant digits, but for those near zero. */
const safeDigits = 15;
const leastNormal = 2 ** -1_022;

/**
 * Whether a number in JSON, read as a double, is written again as the same decimal: how it is written
 * does not matter, `1.50` and `15e-1` are one. Minus zero is not: it would come back as zero.
 */
export function isExactNumber(written: string): boolean {
  const value = Number(written);
  if (value === 0) return /^0(\.0*)?([eE]|$)/.test(written);
  const isNormal = Number.isFinite(value) && Math.abs(value) >= leastNormal;
  if (written.length <= safeDigits && isNormal) return true;
  return Number.isFinite(value) && decimalOf(written) === decimalOf(String(value));
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
