import fc from 'fast-check';
import { test } from 'tap';
import { ValueCounter } from '../../../src/http/receiving/count-values.ts';

const many = 1_000_000;

/** The smallest limit that the text passes, fed in pieces of `bytesAtOnce`. */
function count(text: string, bytesAtOnce = many): number {
  const bytes = Buffer.from(text);
  const holds = (most: number) => {
    const counter = new ValueCounter(most);
    try {
      for (let at = 0; at < bytes.length; at += bytesAtOnce) {
        counter.add(bytes.subarray(at, at + bytesAtOnce));
      }
      return true;
    } catch {
      return false;
    }
  };
  let most = 0;
  while (!holds(most)) most += 1;
  return most;
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + valuesOf(member), 1);
}

test('counts values once, and does not count member names', async (t) => {
  const rows: [string, number][] = [
    ['{}', 1],
    ['[]', 1],
    ['[{},{}]', 3],
    ['"a"', 1],
    ['-1.5e+3', 1],
    ['[true,false,null,0,"",{"a":[]}]', 8],
    [' { "a" : 1 , "b" : [ 1 , 2 ] }\n', 5],
    ['{"a\\"b":"\\\\","{[:,":"]}:"}', 3],
    ['["\\u0022,\\u005c"]', 2],
  ];
  for (const [text, values] of rows) {
    t.equal(count(text), values, text);
    t.equal(count(text, 1), values, `${text}, byte by byte`);
  }
});

test('the count does not depend on the division of a text into chunks', async (t) => {
  const property = fc.property(
    fc.jsonValue({ maxDepth: 4 }),
    fc.integer({ min: 1, max: 9 }),
    (value, bytes) => {
      return count(JSON.stringify(value, null, bytes % 3), bytes) === valuesOf(value);
    },
  );
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  fc.assert(property, { seed, numRuns: 500 });
});

test('enforces the limit as soon as it is exceeded', async (t) => {
  const counter = new ValueCounter(3);
  counter.add(Buffer.from('[{},'));
  counter.add(Buffer.from('{}'));
  t.throws(() => counter.add(Buffer.from(',{')), {
    code: 'INVALID_REQUEST',
    message: 'body: must hold at most 3 values',
  });
});
