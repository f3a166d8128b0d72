import fc from 'fast-check';
import { test } from 'tap';
import { isNestedDeeper } from '../../../src/verifier/xpop/is-nested-deeper.ts';

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

test('counts the levels of any JSON text', (t) => {
  const awkward = fc.constantFrom('[', '{"', ']\\', '\\"', '"[[[');
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'large', withCrossShrink: true },
      fc.oneof(awkward, fc.string(), fc.integer(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(awkward, fc.string()), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  fc.assert(
    fc.property(values, fc.constantFrom(0, 1), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const levels = levelsOf(value);
      return !isNestedDeeper(text, levels) && (levels === 0 || isNestedDeeper(text, levels - 1));
    }),
    { numRuns: 500 },
  );
  t.end();
});
