import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { hashPath } from '../../../ops/verifying/hash-path.ts';

test('a large file is hashed without loading it whole', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'hash-path-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'sparse');
  const mebibytes = 400;
  const file = await open(path, 'w');
  await file.truncate(mebibytes * 2 ** 20);
  await file.close();
  const expected = createHash('sha256');
  const zeros = Buffer.alloc(2 ** 20);
  for (let each = 0; each < mebibytes; each += 1) expected.update(zeros);
  const before = process.memoryUsage().rss;
  t.equal(await hashPath(path), expected.digest('hex'));
  const grownMebibytes = (process.memoryUsage().rss - before) / 2 ** 20;
  t.ok(grownMebibytes < mebibytes / 2, `${grownMebibytes} MiB`);
});
