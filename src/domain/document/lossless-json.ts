/**
 * What reading a JSON text loses, in a few words; null if the value that was read from it is all of it.
 * Spaces, the order of members and how a number or a character is written are no part of it.
 */
export function lossOf(text: string, value: unknown): string | null {
  // In valid JSON every colon outside strings is a member's, of which only the last of a name is kept.
  const colons = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
  if (colons !== membersOf(value)) return 'a name twice in one object';
  return unkeptNumber(text) ? 'a number that is not kept exactly: send it as a string' : null;
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + membersOf(member), own);
}

function unkeptNumber(text: string): boolean {
  let found = false;
  parseWithSource(text, (_name, value, { source = '' }) => {
    if (typeof value !== 'number') return value;
    found ||= Object.is(value, -0) || decimalOf(source) !== decimalOf(String(value));
    return value;
  });
  return found;
}

/** In the runtime (ECMAScript's "JSON.parse source text access"), but not in its types yet. */
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** One writing for all that mean the same number. */
function decimalOf(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const shift = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${shift}`;
}
