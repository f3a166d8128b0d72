import fc from 'fast-check';
import { test } from 'tap';
import { planSequences } from '../../../src/domain/account/sequences.ts';

test('fresh Sequences follow the highest one outstanding', async (t) => {
  const view = { validated: 5, outstanding: new Set([5, 6, 7]) };
  t.strictSame(planSequences(view, 2, 100), { sequences: [8, 9], gaps: [] });
});

test('with nothing outstanding, fresh Sequences start at the next one of the ledger', async (t) => {
  const view = { validated: 5, outstanding: new Set<number>() };
  t.strictSame(planSequences(view, 3, 100), { sequences: [5, 6, 7], gaps: [] });
});

test('a freed Sequence is used before a fresh one, and filled if no proof needs it', async (t) => {
  const view = { validated: 5, outstanding: new Set([6, 9]) };
  t.strictSame(planSequences(view, 2, 100), { sequences: [5, 7], gaps: [8] });
  t.strictSame(planSequences(view, 0, 100), { sequences: [], gaps: [5, 7, 8] });
});

test('outstanding Sequences never exceed the limit, and gaps are filled nevertheless', async (t) => {
  const view = { validated: 5, outstanding: new Set([6, 7]) };
  t.strictSame(planSequences(view, 9, 2), { sequences: [], gaps: [5] });
});

test('for any outstanding Sequences, no Sequence is used twice and no gap stays below another', async () => {
  const views = fc.record({
    validated: fc.integer({ min: 1, max: 50 }),
    offsets: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 }),
    wanted: fc.integer({ min: 0, max: 30 }),
    bound: fc.integer({ min: 0, max: 40 }),
  });
  fc.assert(
    fc.property(views, ({ validated, offsets, wanted, bound }) => {
      const outstanding = new Set(offsets.map((offset) => validated + offset));
      const { sequences, gaps } = planSequences({ validated, outstanding }, wanted, bound);
      const given = [...sequences, ...gaps];
      const used = new Set([...outstanding, ...given]);
      const highest = Math.max(validated - 1, ...used);
      return (
        used.size === outstanding.size + given.length &&
        used.size === highest - validated + 1 &&
        sequences.length <= wanted &&
        sequences.length + outstanding.size <= Math.max(bound, outstanding.size) &&
        (wanted > bound - outstanding.size || sequences.length === wanted)
      );
    }),
  );
});
