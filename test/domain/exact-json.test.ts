import fc from 'fast-check';
import { test } from 'tap';
import { findInexact } from '../../src/domain/exact-json.ts';
import { formatPath } from '../../src/domain/json-value.ts';

const placeOf = (text: string) => {
  JSON.parse(text);
  const fault = findInexact(text);
  return fault && formatPath(fault);
};
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('finds a duplicate member, however its name is written', async (t) => {
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

test('finds a number that a double cannot hold as written, at any depth', async (t) => {
  const lost = ['9007199254740993', '-9007199254740993', '108787716708999781', '1e400', '-1e400'];
  lost.push('1000000000000000000000001', '0.1234567890123456789', '1e-400', '-1e-400');
  lost.push('1.0000000000000000000001', '1.2345678901234567e-320', '12345678901234567890.5');
  lost.push(
    '12345678901234567168',
    '9007199254740993.0',
    '3.1415926535897932',
    '6.0000000000000005e-1',
  );
  for (const number of lost) {
    t.equal(placeOf(number), '', number);
    t.equal(placeOf(`{"a":[1,{"b":${number}}]}`), 'a.1.b', number);
    t.equal(placeOf(`{"a":"${number}","${number}":1}`), null, 'not inside strings');
  }
  const kept = ['0', '0.0', '0e9', '0.00000000000000000000', '1.0', '1e2', '1E+2', '-1.50', '0.1'];
  kept.push(
    '9007199254740992',
    '108787716708999780',
    '1000000000000000000000000',
    '5e-324',
    '1e300',
  );
  kept.push('1.7976931348623157e308', '123456789.123456', '0.30000000000000004', '1e-7', '1e23');
  kept.push('-0', '-0.0', '-0e5', '0.10000000000000001', '0.84999999999999998');
  kept.push(
    '3.1415926535897931',
    '0.1000000000000000055511151231257827021181583404541015625',
    '2.5000',
  );
  for (const number of kept) t.equal(placeOf(`[${number},1]`), null, number);
});

test('accepts every fraction of a double, written with 17 or more digits', async (t) => {
  const fraction = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value));
  const property = fc.property(fraction, fc.integer({ min: 17, max: 100 }), (value, digits) => {
    return (
      findInexact(`[${value.toPrecision(digits)},${value.toExponential(digits - 1)}]`) === null
    );
  });
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  fc.assert(property, { seed, numRuns: 1_000 });
});

test('limits depth without recursion', async (t) => {
  t.equal(findInexact(nested(65)), null);
  t.match(findInexact(nested(66)), { why: /deeper than 64/ });
  t.match(findInexact(nested(2_000_000)), { why: /deeper/ });
  t.match(findInexact(`{"a":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`), { path: ['a', 'a', 'a'] });
});

test('finds nothing in output of JSON.stringify', async (t) => {
  const property = fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
    return findInexact(JSON.stringify(value)) === null;
  });
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  fc.assert(property, { seed, numRuns: 500 });
});
