import { test } from 'tap';
import { drawCases, restartDraws } from './draw-cases.ts';
import { isThorough } from './run-count.ts';

const silent = { comment: () => {} };
const cases = Array.from({ length: 40 }, (_, place) => ({ place, kind: place < 39 ? 'a' : 'b' }));
const draw = () => drawCases(silent, cases, ({ kind }) => kind);

test('without CI a quarter of each kind is drawn, at least one, in the order of the table', async (t) => {
  const drawn = draw();
  const ofB = drawn.filter(({ kind }) => kind === 'b');
  t.equal(drawn.length, isThorough ? 40 : 11);
  t.equal(ofB.length, 1);
  t.strictSame(
    drawn,
    drawn.toSorted((one, other) => one.place - other.place),
  );
});

test('every case is drawn sooner or later', async (t) => {
  const drawn = new Set<number>();
  for (let n = 0; n < 1_000; n += 1) for (const { place } of draw()) drawn.add(place);
  t.equal(drawn.size, cases.length);
});

test('where CI is set all are drawn, or the share that the table names', async (t) => {
  const drawn = drawCases(silent, cases, ({ kind }) => kind, { oneOf: 10, oneOfInCi: 2 });
  t.equal(drawn.length, isThorough ? 21 : 5);
});

test('after a restart the same cases are drawn as in a process of its own', async (t) => {
  restartDraws();
  const first = draw();
  restartDraws();
  t.strictSame(draw(), first);
});
