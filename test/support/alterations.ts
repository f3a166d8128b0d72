/** A place in a JSON value. */
export type Place = readonly (string | number)[];

/** Places of all members and items of a JSON value, outermost first. */
export function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => placesIn(item, [...place, index]))
    : Object.entries(value).flatMap(([name, member]) => placesIn(member, [...place, name]));
  return place.length === 0 ? inside : [place, ...inside];
}

/**
 * A copy of a JSON value with one small change at a place: a character, a bit of a number, a missing
 * or doubled item, or a value of another type. Null if the change says the same in another way, such
 * as hex in another case.
 */
export function alterAt(value: unknown, place: Place, random: () => number): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  const parent = place.slice(0, -1).reduce((at, name) => at[name] as never, copy);
  const last = place.at(-1) ?? '';
  const before = parent[last];
  const pick = (count: number) => Math.floor(random() * count);
  if (pick(12) === 0) {
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
    return copy;
  }
  if (pick(12) === 0) parent[last] = [null, 0, '', [], {}, 'AA', -1, 2 ** 53][pick(8)];
  else if (Array.isArray(before)) parent[last] = [...before, before[0] ?? 'AA'];
  else if (typeof before === 'number') parent[last] = before ^ (1 << pick(31));
  else if (typeof before === 'string' && before !== '') parent[last] = alterText(before, pick);
  else parent[last] = { 0: before };
  const text = (one: unknown) => JSON.stringify(one)?.toLowerCase();
  return text(parent[last]) === text(before) ? null : copy;
}

/** Changes one character, most often to another one of the same alphabet. */
function alterText(text: string, pick: (count: number) => number): string {
  const at = pick(text.length);
  const hex = /^[A-Fa-f0-9]+$/.test(text);
  const alphabet = hex ? '0123456789ABCDEF' : '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh+/=';
  if (pick(20) === 0) return text.slice(0, at) + text.slice(at + (hex ? 2 : 4));
  return text.slice(0, at) + alphabet[pick(alphabet.length)] + text.slice(at + 1);
}
