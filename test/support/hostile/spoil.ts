import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../any-character.ts';

const lone = '\ud800';

/** Hostile texts for a path, a query, a header or a form. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom('\0', 'a\0b'),
  fc.constantFrom(
    '',
    ' ',
    '\r\nX-Injected: 1',
    '../../../etc/passwd',
    '..',
    '.',
    '%00',
    '%2e%2e%2f',
    '%',
    '%ff',
    "'; DROP TABLE events; --",
    '$1',
    '{{7*7}}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what others would expand
    '${jndi:ldap://127.0.0.1/}',
    '<script>alert(1)</script>',
    '=cmd|1',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    'true',
    '-1',
    '0',
    '1e999',
    '0x10',
    '９９',
    '9'.repeat(400),
    'x'.repeat(3_000),
    '\u202e\u0000\u200f',
    '\u{10ffff}',
    '2026-02-30T25:61:61Z',
    '[object Object]',
    '[]',
    '{}',
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ maxLength: 300 }),
);

/** Hostile values for a place in JSON. */
export const hostileJson: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom('\0', lone, `a${lone}`),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    Number.MIN_VALUE,
    [],
    {},
    [[]],
    { toString: 'x', length: -1 },
    JSON.parse('{"__proto__":{"admin":true}}'),
    { constructor: { prototype: { x: 1 } } },
    nested(500),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.constant('x'), { minLength: 50, maxLength: 200 }),
);

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Replaces or drops the value at one place of a body; `choice` selects the place. */
export function spoil(value: unknown, choice: number, hostile: unknown): unknown {
  const places = placesOf(value);
  const place = places[choice % places.length] ?? [];
  const drop = choice % 5 === 0;
  return replaced(value, place, drop ? undefined : hostile);
}

type Place = readonly (string | number)[];

/** Every place in a value, and the value as a whole. */
function placesOf(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inside = Object.entries(value).flatMap(([name, one]) => placesOf(one, [...at, name]));
  const unknown = Array.isArray(value)
    ? []
    : [
        [...at, '__proto__'],
        [...at, 'unknown'],
      ];
  return [...inside, ...unknown, at];
}

function replaced(value: unknown, [step, ...rest]: Place, hostile: unknown): unknown {
  if (step === undefined) return hostile;
  const entries = Object.entries(value as object).filter(([name]) => name !== step);
  const own = (value as Record<string, unknown>)[step];
  const next = rest.length === 0 ? hostile : replaced(own, rest, hostile);
  if (Array.isArray(value)) return value.with(Number(step), next);
  // Define the member instead of assigning it: assigning `__proto__` would lose it.
  const copy = Object.fromEntries(entries);
  if (next === undefined) return copy;
  const member = { value: next, enumerable: true, configurable: true, writable: true };
  return Object.defineProperty(copy, step, member);
}
