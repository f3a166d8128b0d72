import { test } from 'tap';
import { keepFigures } from '../../src/telemetry/figures.ts';

test('concurrent callers share one query of a figure, and its result is cached', async (t) => {
  let asked = 0;
  const figures = keepFigures(async () => (asked += 1), { keptMs: 60_000, waitMs: 60_000 });
  t.strictSame(await Promise.all([figures(), figures()]), [1, 1]);
  t.equal(await figures(), 1);
  t.equal(asked, 1);
});

test('a caller does not wait for a slow figure, which is there the next time', async (t) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const figures = keepFigures(() => promise, { keptMs: 60_000, waitMs: 1 });
  t.equal(await figures(), null);
  t.equal(await figures(), null);
  resolve('found');
  await promise;
  await new Promise(setImmediate);
  t.equal(await figures(), 'found');
});

test('a failed figure is unknown, and not queried again at once', async (t) => {
  let asked = 0;
  const find = async () => {
    asked += 1;
    throw new Error('away');
  };
  const figures = keepFigures(find, { keptMs: 60_000, waitMs: 60_000 });
  t.equal(await figures(), null);
  t.equal(await figures(), null);
  t.equal(asked, 1);
});
