import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Test, test } from 'tap';
import { organisationOfBlob } from '../../src/domain/blob/blob-key.ts';
import { logName, originOf } from '../../src/domain/log/origin.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { FileStorage } from '../../src/storage/file-storage.ts';
import { FileLogFiles } from '../../src/transparency-log/published/file-log-files.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import {
  encrypted,
  listedKeys,
  newBlobKey,
  newFolder,
  newOrganisationId,
  openFileStorage,
  putRandom,
  readBlob,
} from '../support/blobs.ts';
import { until } from '../support/until.ts';
import { testLogStorage } from '../transparency-log/published/log-storage-contract.ts';
import { type StorageSite, testBlobStorage } from './blob-storage-contract.ts';

async function newSite(t: Test): Promise<StorageSite> {
  const folder = join(await newFolder(t), 'files');
  const write = async (name: string, content: Buffer | string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
  return {
    storage: await openFileStorage(folder),
    url: pathToFileURL(folder).href,
    stagingFolder: join(folder, '.staging'),
    atomic: true,
    overwrite: write,
    stored: (name) => readFile(join(folder, name)),
    litter: (name, text = 'litter') => write(name, text),
    async unreachable() {
      const gone = join(await newFolder(t), 'gone');
      const storage = await openFileStorage(gone);
      await rm(gone, { recursive: true });
      await writeFile(gone, 'no folder any more');
      return storage;
    },
  };
}

testBlobStorage(newSite, { largeBytes: 12_000_000 });
testLogStorage(newSite);

test('a published log whose volume is away is unavailable, not empty', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const log = await openLogStorage(pathToFileURL(folder).href);
  const origin = originOf({ name: logName(newUlid()), epoch: 1 });
  const tile = { level: 0, index: 0, width: 1 };
  await log.writeTile(origin, { tile, bytes: Buffer.alloc(32) });
  await rename(folder, `${folder}-away`);
  const unavailable = { name: 'StorageUnavailable' };
  await t.rejects(log.readCheckpoint(), unavailable);
  await t.rejects(log.readTile(origin, tile), unavailable);
  await t.rejects(log.writeTile(origin, { tile, bytes: Buffer.alloc(32) }), unavailable);
  await mkdir(folder);
  await t.rejects(log.readCheckpoint(), unavailable);
  await t.rejects(log.writeTile(origin, { tile, bytes: Buffer.alloc(32) }), unavailable);
  t.strictSame(await readdir(folder), []);
  await rm(folder, { recursive: true });
  await rename(`${folder}-away`, folder);
  t.ok(await log.readTile(origin, tile));
});

// A pipe without a writer never answers, like a file on a shared folder whose server is away.
test('reading from a folder that does not answer fails in time, and leaves no file open', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const { key } = await putRandom(await openFileStorage(folder), 1_000);
  const blob = join(folder, `${key}.enc`);
  const silent = [blob, join(folder, 'log.json'), join(folder, 'log', 'note')];
  await rm(blob);
  await mkdir(join(folder, 'log'));
  for (const path of silent) execFileSync('mkfifo', [path]);
  const storage = await FileStorage.open(folder, { readMs: 50 });
  const log = new FileLogFiles(folder, { readMs: 50 });
  const inTime = { name: 'StorageUnavailable', message: /did not answer within 50 ms/ };
  await t.rejects(storage.open(key, 'encrypted'), inTime, 'a blob');
  await t.rejects(storage.readLogMark(), inTime, 'the mark');
  await t.rejects(log.read('note'), inTime, 'the published log');
  for (const path of silent) await (await open(path, 'r+')).close();
  await until('every late file is closed', async () => {
    const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`));
    const paths = await Promise.all(links.map((link) => link.catch(() => '')));
    return !paths.some((path) => silent.includes(path));
  });
});

test('a storage that exists already is opened with all its files, and not made anew without them', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const again = async () => encrypted(await FileStorage.open(folder, { mayCreate: false }));
  const unmounted = { name: 'StorageUnavailable', message: /has no \.staging: .* not mounted/ };
  await t.rejects(again(), unmounted, 'no folder');
  t.notOk(existsSync(folder));
  await mkdir(folder);
  await writeFile(join(folder, 'NOT_MOUNTED'), '');
  await t.rejects(again(), unmounted, 'a folder without our files');
  t.strictSame(await readdir(folder), ['NOT_MOUNTED']);
  const { key, bytes, ...facts } = await putRandom(await openFileStorage(folder), 1_000);
  await again();
  await rm(join(folder, '.staging'), { recursive: true });
  const copied = await again();
  t.ok(bytes.equals(await readBlob(copied, key, facts)), 'a copy without .staging');
  await putRandom(copied, 1_000);
});

// An unmounted volume looks like this: files stored in its place would be hidden by the mount.
for (const left of ['nothing', 'an empty folder']) {
  test(`with ${left} in place of its folder the storage is unavailable, and stores nothing`, async (t) => {
    const folder = join(await newFolder(t), 'files');
    const storage = await openFileStorage(folder);
    const { key, bytes, ...facts } = await putRandom(storage, 1_000);
    await rename(folder, `${folder}-elsewhere`);
    if (left === 'an empty folder') await mkdir(folder);
    const unavailable = { name: 'StorageUnavailable' };
    for (const when of ['at first', 'then']) {
      const put = putRandom(storage, 1_000, newBlobKey(organisationOfBlob(key)));
      await t.rejects(put, unavailable, `put, ${when}`);
      await t.rejects(readBlob(storage, key, facts), unavailable, `open, ${when}`);
      await t.rejects(listedKeys(storage), unavailable, `list, ${when}`);
      await t.rejects(storage.delete(key), unavailable, `delete, ${when}`);
      await t.rejects(storage.deleteAll(newOrganisationId()), unavailable, `deleteAll, ${when}`);
      await t.rejects(storage.readLogMark(), unavailable, `mark, ${when}`);
    }
    const made = await readdir(folder).catch(() => 'no folder');
    t.strictSame(made, left === 'an empty folder' ? [] : 'no folder');
    await rm(folder, { recursive: true, force: true });
    await rename(`${folder}-elsewhere`, folder);
    t.ok(bytes.equals(await readBlob(storage, key, facts)), 'stored before');
    const { key: next } = await putRandom(storage, 1_000);
    t.strictSame(new Set(await listedKeys(storage)), new Set([key, next]));
  });
}
