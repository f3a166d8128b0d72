import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { test } from 'tap';
import type { Keyring } from '../../src/event-store/keyring.ts';
import { Parts } from '../../src/program/parts.ts';
import type { Program } from '../../src/program/program.ts';
import { startFiles } from '../../src/program/start-storage.ts';
import { FileStorage } from '../../src/storage/file-storage.ts';
import { newFolder } from '../support/blobs.ts';
import { until } from '../support/until.ts';

const hourMs = 3_600_000;

test('a process that keeps files sweeps its disk from its start, in any role', async (t) => {
  const folder = await newFolder(t);
  const storage = await FileStorage.open(folder);
  const dead = join(folder, '.staging', 'another-boot-1');
  await mkdir(dead);
  for (const [name, hours] of [
    ['old', 48],
    ['young', 12],
  ] as const) {
    const written = new Date(Date.now() - hours * hourMs);
    await writeFile(join(dead, name), 'half an upload');
    await utimes(join(dead, name), written, written);
  }
  const parts = new Parts();
  const log = { info() {}, warn: (text: unknown) => t.fail(String(text)) } as unknown as Logger;
  const config = { storageUrl: 's3://bucket', databaseUrl: '', dataDir: '.', minFreeBytes: 0 };
  startFiles({ parts, log, config } as unknown as Program, storage, {} as Keyring);
  t.teardown(() => parts.stop(log));
  await until('only the young remains are left', async () => {
    return (await readdir(dead)).join() === 'young';
  });
});
