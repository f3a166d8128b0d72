import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { boundLog } from '../../../src/embedded/postgres/bound-log.ts';

test('keeps the newest log files, deletes older ones and leaves other files alone', async (t) => {
  const cluster = t.testdir({});
  const folder = join(cluster, 'log');
  await mkdir(folder);
  const names = ['05', '01', '03', '02', '04'].map((day) => `postgresql-2026-01-${day}_000000.log`);
  for (const name of [...names, 'other.log']) await writeFile(join(folder, name), '');
  const stop = boundLog(cluster);
  t.teardown(stop);
  while ((await readdir(folder)).length > 4) await sleep(5);
  t.strictSame((await readdir(folder)).sort(), [
    'other.log',
    'postgresql-2026-01-03_000000.log',
    'postgresql-2026-01-04_000000.log',
    'postgresql-2026-01-05_000000.log',
  ]);
});
