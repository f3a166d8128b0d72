import { test } from 'tap';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { runPublisher } from '../../../src/transparency-log/publish/run-publisher.ts';
import { lastPublished } from '../../../src/transparency-log/published/published-checkpoints.ts';
import { listPublished } from '../../support/list-published.ts';
import { openPublishingSite } from '../../support/publishing-site.ts';
import { until } from '../../support/until.ts';

test('one of two processes publishes, and the other takes over when it stops', async (t) => {
  const site = await openPublishingSite(t);
  const { db, url } = site.database;
  const errors: unknown[] = [];
  const start = () => {
    const locks = openWorkLocks(url);
    const onError = (error: unknown) => errors.push(error);
    const stop = runPublisher({
      ...site.options,
      locks,
      intervalMs: 5,
      onDiffers: onError,
      onError,
    });
    const end = async () => {
      await stop();
      await locks.close();
    };
    t.teardown(end);
    return end;
  };
  const publishedUpTo = (size: number) =>
    until(`a checkpoint of ${size} events`, async () => (await lastPublished(db))?.size === size);
  const stops = [start(), start()];
  for (let size = 21; size <= 101; size += 20) {
    await site.append(20);
    await publishedUpTo(size);
  }
  await stops[0]?.();
  await site.append(20);
  await publishedUpTo(121);
  await stops[1]?.();
  const rows = await listPublished(db, 0, 1_000);
  t.strictSame(
    rows.map(({ number }) => number),
    rows.map((_, at) => at + 1),
  );
  t.strictSame(errors, []);
});

test('retries after a failed write, and reports a log that differs', async (t) => {
  const [site, other] = [await openPublishingSite(t), await openPublishingSite(t)];
  const locks = { hold: async () => 1, release: async () => {} };
  const errors: string[] = [];
  let troubles = 3;
  site.files.troubles = (_, what) => {
    if (!what.startsWith('write checkpoints')) return;
    troubles -= 1;
    if (troubles >= 0) throw new Error('the disk is full');
  };
  const stop = runPublisher({
    ...site.options,
    locks,
    intervalMs: 1,
    onDiffers: () => {},
    onError: (error) => errors.push((error as Error).message),
  });
  await until('a checkpoint', () => lastPublished(site.database.db));
  await stop();
  t.ok(errors.length >= 2 && errors.every((message) => message === 'the disk is full'));

  const differences: string[] = [];
  const foreign = runPublisher({
    ...other.options,
    published: site.options.published,
    locks,
    intervalMs: 1,
    onDiffers: ({ reason }) => differences.push(reason.status),
    onError: (error) => t.fail(String(error)),
  });
  await until('a difference', async () => differences[0]);
  await foreign();
  t.equal(differences[0], 'other-log');
});
