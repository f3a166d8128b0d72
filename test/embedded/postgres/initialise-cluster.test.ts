import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { initialisedDataDir } from '../../support/prepared-data-dir.ts';
import { runCount } from '../../support/run-count.ts';
import { seededRandom } from '../../support/seed.ts';
import { query, runService, startHere, temporaryDataDir } from '../run-service.ts';

test('a first start killed at any moment does not block the next', async (t) => {
  const random = seededRandom(t);
  // Node needs about 100 ms to reach initdb, which takes about 300 ms.
  for (let round = runCount(1, 3); round > 0; round -= 1) {
    const dataDir = await temporaryDataDir(t);
    const afterMs = 60 + Math.round(random() * 500);
    const killed = runService(t, dataDir);
    killed.started.catch(() => {});
    await sleep(afterMs);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const seen = await readdir(dataDir).catch(() => []);
    const { url, stop } = await startHere(t, dataDir);
    t.strictSame(await query(url, 'SELECT 1 AS works'), [{ works: 1 }], `${afterMs} ms: ${seen}`);
    await stop();
  }
});

test('removes the remains of a killed first start', async (t) => {
  const dataDir = await initialisedDataDir(t);
  await rm(join(dataDir, 'postgres.json'));
  await rm(join(dataDir, 'postgres'), { recursive: true });
  const killed = runService(t, dataDir);
  killed.started.catch(() => {});
  const unfinished = async () =>
    (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'));
  while ((await unfinished()).length === 0) await sleep(5);
  await sleep(50);
  killed.child.kill('SIGKILL');
  await killed.ended;
  t.equal((await unfinished()).length, 1);
  const second = await startHere(t, dataDir);
  await second.stop();
  // An initdb that outlived its service may have kept writing during the removal.
  await sleep(1_000);
  const third = await startHere(t, dataDir);
  await third.stop();
  t.strictSame(await unfinished(), []);
});

test('refuses data of another major version of PostgreSQL in one line', async (t) => {
  const dataDir = await initialisedDataDir(t);
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await t.rejects(startHere(t, dataDir), {
    code: 'OTHER_MAJOR_VERSION',
    message: /^\S+ was created by PostgreSQL 17, but this is PostgreSQL 18: [^\n]+$/,
  });
});

test('refuses to start anew when the data are missing', async (t) => {
  const dataDir = await initialisedDataDir(t);
  await rm(join(dataDir, 'postgres'), { recursive: true });
  await t.rejects(startHere(t, dataDir), { code: 'DATA_MISSING' });
});

test('names a damaged connection file in one line', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const file = join(dataDir, 'postgres.json');
  const intact = await readFile(file, 'utf8');
  for (const damaged of ['{', intact.replace('"password"', '"pass"')]) {
    await writeFile(file, damaged);
    await t.rejects(startHere(t, dataDir), {
      code: 'CONNECTION_FILE_UNUSABLE',
      message: /postgres\.json [^\n]+$/,
    });
  }
  await writeFile(file, intact);
});
