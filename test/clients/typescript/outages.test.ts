import { test } from 'tap';
import type { Wait } from '../../../clients/typescript/src/calls/wait.ts';
import { type FileResult, Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import { failed, inWords, startProvingSite, workspace } from '../../support/proving-site.ts';

test('an outage costs the items of one hash at a time, with growing pauses', async (t) => {
  const { proofmark, batches, waits } = await startProvingSite(t, (_, batch) =>
    batch <= 24 ? failed('XRPL_ERROR', {}, 5) : null,
  );
  const files = Array.from({ length: 1_000 }, (_, at) => new File([`${at}`], `${at}`));
  const results = await Array.fromAsync(proofmark.proveAll(files));
  t.ok(results.every(({ status }) => status === 'proven'));
  const sizes = batches.map((items) => items.length);
  t.strictSame(sizes, [1_000, ...sizes.slice(1, -1).fill(1), 999]);
  t.equal(batches.length, 26);
  t.ok(waits.every((ms) => ms >= 5_000));
  t.ok(Math.max(...waits) > 7_000);
});

test('a hash that is refused each time does not keep the others from being proven', async (t) => {
  const { proofmark, batches } = await startProvingSite(t, ({ fileName }, batch) =>
    fileName === '0' || batch <= 2 ? failed('XRPL_ERROR', {}, 5) : null,
  );
  const files = Array.from({ length: 5 }, (_, at) => new File([`${at}`], `${at}`));
  const run = proofmark.proveAll(files, { patienceMs: 5_500 });
  t.strictSame(inWords(await Array.fromAsync(run)), [
    '0 XRPL_ERROR',
    ...['1 proven', '2 proven', '3 proven', '4 proven'],
  ]);
  t.strictSame(
    batches.slice(0, 4).map((items) => items.length),
    [5, 1, 1, 4],
  );
});

for (const batchSize of [1, 2]) {
  test(`a run without a proof for too long ends, however many batches of ${batchSize} are left`, async (t) => {
    let now = Date.now();
    t.intercept(Date, 'now', { value: () => now });
    const site = await startProvingSite(t, ({ fileName }) =>
      fileName === '0' ? null : failed('XRPL_ERROR', {}, 5),
    );
    let waited = 0;
    const wait: Wait = async (ms) => {
      waited += ms;
      now += ms;
    };
    const proofmark = new Proofmark({ server: site.url, apiKey: 'k', workspace, wait });
    const files = Array.from({ length: 9 }, (_, at) => new File([`${at}`], `${at}`));
    const found: FileResult[] = [];
    const run = async () => {
      const options = { batchSize, patienceMs: 60_000 };
      for await (const each of proofmark.proveAll(files, options)) found.push(each);
    };
    await t.rejects(run(), { code: 'XRPL_ERROR' });
    t.strictSame(inWords(found), ['0 proven', '1 XRPL_ERROR']);
    t.ok(waited <= 60_000, `${waited} ms`);
    t.equal(site.batches.at(-1)?.length, 1, 'one hash of the next batch is tried');
  });
}

test('a run goes on if the service is back for the next batch', async (t) => {
  const { proofmark, batches } = await startProvingSite(t, (_, batch) =>
    batch === 1 ? failed('XRPL_ERROR', {}, 5) : null,
  );
  const files = Array.from({ length: 7 }, (_, at) => new File([`${at}`], `${at}`));
  const options = { batchSize: 3, patienceMs: 4_000 };
  const results = await Array.fromAsync(proofmark.proveAll(files, options));
  t.strictSame(
    inWords(results).map((words) => words.slice(2)),
    [...Array(3).fill('XRPL_ERROR'), ...Array(4).fill('proven')],
  );
  t.strictSame(
    batches.map((items) => items.length),
    [3, 1, 2, 1],
  );
});
