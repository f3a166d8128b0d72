/**
 * True if an object in a JSON text names a member twice. `JSON.parse` keeps the last of two members
 * with one name, whereas a person or another program may have read the first. `value` is the parsed
 * text.
 */
export function hasDoubledMembers(text: string, value: unknown): boolean {
  return membersNamed(text) !== membersIn(value);
}

function membersNamed(text: string): number {
  const strings = text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  let count = 0;
  for (const [, colon] of strings) if (colon !== undefined) count += 1;
  return count;
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  // Items of a list have no member names.
  const named = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>((count, member) => count + membersIn(member), named);
}
