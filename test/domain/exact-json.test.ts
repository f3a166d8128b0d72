import fc from 'fast-check';
import { test } from 'tap';
import { findInexact } from '../../src/domain/exact-json.ts';
import { nameOf } from '../../src/domain/json-value.ts';

const placeOf = (text: string) => {
  JSON.parse(text);
  const fault = findInexact(text);
  return fault && nameOf(fault);
};
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('a member that is there twice is found, however its name is written', async (t) => {
  const rows: [string, string | null][] = [
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"\\u0061":1}', 'a'],
    ['{ "a" : [ { "b" : 1 , "c" : { } , "b" : 2 } ] }', 'a.0.b'],
    ['[[1,"a"],{"a":1},{"a":{"a":{"a":1}}}]', null],
    ['{"a":"a","b":"a","c":["a","a"]}', null],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a\\"":1,"a\\\\":2,"a":3}', null],
    ['{"a":"{\\"b\\":1,\\"b\\":2}"}', null],
    ['{"":1,"":2}', ''],
    ['{"é":1,"e\u0301":2}', null],
  ];
  for (const [text, expected] of rows) t.equal(placeOf(text), expected, text);
});

test('a whole number that a double does not hold is found, everything else is kept', async (t) => {
  const rows: [string, string | null][] = [
    ['9007199254740991', null],
    ['9007199254740992', null],
    ['9007199254740993', ''],
    ['-9007199254740993', ''],
    ['108787716708999780', null],
    ['108787716708999781', ''],
    ['1000000000000000000000000', ''],
    ['1000000000000000000000', null],
    ['{"a":[1,2,123456789012345678901]}', 'a.2'],
    ['{"a":{"b":{"c":{"d":9007199254740993}}}}', 'a.b.c'],
    ['[1e300,0.1,1.0000000000000000001,-0,1E5,12345678901234567890.5]', null],
    ['"9007199254740993"', null],
    ['{"9007199254740993":1}', null],
  ];
  for (const [text, expected] of rows) t.equal(placeOf(text), expected, text);
});

test('depth is bounded without recursion', async (t) => {
  t.equal(findInexact(nested(65)), null);
  t.match(findInexact(nested(66)), { why: /deeper than 64/ });
  t.match(findInexact(nested(2_000_000)), { why: /deeper/ });
  t.match(findInexact(`{"a":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`), { path: ['a', 'a', 'a'] });
});

test('nothing is found in what JSON.stringify wrote', async (t) => {
  const property = fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
    return findInexact(JSON.stringify(value)) === null;
  });
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  fc.assert(property, { seed, numRuns: 500 });
});
