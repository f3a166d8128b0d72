import { test } from 'tap';
import { findFault, formatPath } from '../../src/domain/json-value.ts';

const far = 1_000_000;

test('finds values that cannot be stored as sent, at any depth', async (t) => {
  const rows: [unknown, string, RegExp][] = [
    ['a\0', '', /NUL/],
    [{ a: ['x', { b: '\ud800' }] }, 'a.1.b', /surrogate/],
    [{ a: { 'b\0': 1 } }, 'a.b\0', /NUL/],
    [{ n: Number.POSITIVE_INFINITY }, 'n', /outside the range/],
    [{ a: { b: { c: { d: '\0' } } } }, 'a.b.c', /NUL/],
    [{ ['x'.repeat(5_000)]: '\0' }, 'x'.repeat(64), /NUL/],
  ];
  for (const [value, name, why] of rows) {
    const fault = findFault(value, far);
    t.match(fault?.why, why);
    t.equal(fault && formatPath(fault), name);
  }
  for (const value of [null, '', 0, [], {}, { a: [1.5, 'é🎉', { b: null }] }, 1e300]) {
    t.equal(findFault(value, far), null);
  }
});

test('counts size in bytes of compact JSON, and depth in levels', async (t) => {
  t.equal(findFault({ a: 'ü'.repeat(4) }, 16), null);
  t.match(findFault({ a: 'ü'.repeat(4) }, 15), { path: [], why: /at most 15 bytes/ });
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  t.equal(findFault(nested(64), far), null);
  t.match(findFault(nested(65), far), { why: /64 levels/ });
});
