import fs, { type FileHandle, mkdir, open, readdir, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Test, test } from 'tap';
import { organisationOfBlob } from '../../src/domain/blob/blob-key.ts';
import { logName, originOf, parseOrigin } from '../../src/domain/log/origin.ts';
import { encryptedSize } from '../../src/encrypted-files/format.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import {
  listedKeys,
  newBlobKey,
  newFolder,
  newOrganisationId,
  openFileStorage,
  putRandom,
  readBlob,
  streamOf,
} from '../support/blobs.ts';
import { run } from '../support/run.ts';

const unavailable = { name: 'StorageUnavailable' };

interface Effect {
  readonly name: 'mkdir' | 'sync' | 'rename';
  readonly path: string;
}

/** Records the order of disk effects. `fail` makes an effect fail, before or after it is done. */
async function watchDisk(t: Test) {
  const seen: Effect[] = [];
  const disk = { seen, fail: (_: Effect): 'before' | 'after' | null => null };
  const pathOf = new WeakMap<FileHandle, string>();
  const effect = async <Value>(what: Effect, act: () => Promise<Value>): Promise<Value> => {
    const failure = disk.fail(what);
    const trouble = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    if (failure === 'before') throw trouble;
    const value = await act();
    if (failure === 'after') throw trouble;
    seen.push(what);
    return value;
  };
  const real = { open: fs.open, rename: fs.rename, mkdir: fs.mkdir };
  const probe = await open(import.meta.filename);
  const handles: Pick<FileHandle, 'sync'> = Object.getPrototypeOf(probe);
  await probe.close();
  const { sync } = handles;
  handles.sync = function (this: FileHandle) {
    const path = pathOf.get(this) ?? '';
    return effect({ name: 'sync', path }, () => sync.call(this));
  };
  fs.open = async (path, ...rest) => {
    const handle = await real.open(path, ...rest);
    pathOf.set(handle, String(path));
    return handle;
  };
  fs.rename = (from, to) =>
    effect({ name: 'rename', path: String(to) }, () => real.rename(from, to));
  fs.mkdir = ((path: string, options: object) =>
    effect({ name: 'mkdir', path }, () => real.mkdir(path, options))) as typeof fs.mkdir;
  syncBuiltinESMExports();
  t.teardown(() => {
    Object.assign(fs, real);
    handles.sync = sync;
    syncBuiltinESMExports();
  });
  return disk;
}

test('a write of which the system takes only a part is continued', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const storage = await openFileStorage(folder);
  const probe = await open(import.meta.filename);
  const handles: Pick<FileHandle, 'writev'> = Object.getPrototypeOf(probe);
  await probe.close();
  const { writev } = handles;
  t.teardown(() => Object.assign(handles, { writev }));
  const short = { calls: 0 };
  handles.writev = async function (this: FileHandle, buffers) {
    short.calls += 1;
    const parts = buffers.map(
      (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength),
    );
    const part = Buffer.concat(parts).subarray(0, -70_000);
    const { bytesWritten } = await writev.call(this, [part]);
    return { bytesWritten, buffers };
  };
  const { key, bytes, ...facts } = await putRandom(storage, 1_000_000);
  t.ok(short.calls > 1);
  t.ok(bytes.equals(await readBlob(storage, key, facts)));
});

test('a blob is synced before its rename, and the rename before put resolves', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const storage = await openFileStorage(folder);
  const disk = await watchDisk(t);
  const key = newBlobKey();
  const staged = await storage.stage(organisationOfBlob(key), streamOf(Buffer.alloc(300_000)));
  await storage.put(key, staged);
  const own = join(folder, key.slice(0, 26));
  t.strictSame(disk.seen, [
    { name: 'sync', path: staged.path },
    { name: 'mkdir', path: own },
    { name: 'sync', path: folder },
    { name: 'rename', path: join(folder, `${key}.enc`) },
    { name: 'sync', path: own },
  ]);
});

test('new folders of the first start are synced, including their parents', async (t) => {
  const folder = await newFolder(t);
  const disk = await watchDisk(t);
  const files = join(folder, 'a', 'b', 'files');
  await openFileStorage(files);
  t.strictSame(disk.seen.slice(0, 4), [
    { name: 'mkdir', path: files },
    { name: 'sync', path: join(folder, 'a', 'b') },
    { name: 'sync', path: join(folder, 'a') },
    { name: 'sync', path: folder },
  ]);
  disk.seen.length = 0;
  await openFileStorage(files);
  t.notOk(
    disk.seen.some(({ name }) => name === 'sync'),
    'existing folders are not synced again',
  );
});

test('a mark is synced before its rename, and the rename before the write resolves', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const storage = await openFileStorage(folder);
  const mark = { logId: 'a', position: 1, eventId: 'b' };
  await storage.writeLogMark(mark);
  const disk = await watchDisk(t);
  await storage.writeLogMark({ ...mark, position: 2 });
  t.match(disk.seen, [
    { name: 'sync', path: join(folder, '.staging') },
    { name: 'rename', path: join(folder, 'log.json') },
    { name: 'sync', path: folder },
  ]);
  for (const when of ['before', 'after'] as const) {
    for (let step = 0; step < 3; step += 1) {
      await storage.writeLogMark(mark);
      let steps = 0;
      disk.fail = () => (steps++ === step ? when : null);
      await t.rejects(storage.writeLogMark({ ...mark, position: 2 }), unavailable);
      disk.fail = () => null;
      const read = await storage.readLogMark();
      t.ok(
        read?.position === 1 || read?.position === 2,
        `step ${step} ${when}: the old or the new mark`,
      );
    }
  }
});

test('a tile is synced before its rename, and the rename before the write resolves', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const storage = await openLogStorage(pathToFileURL(folder).href);
  const disk = await watchDisk(t);
  const tile = { level: 0, index: 0, width: 1 };
  const origin = originOf({ name: logName(newUlid()), epoch: 1 });
  await storage.writeTile(origin, { tile, bytes: Buffer.alloc(32) });
  const { logId = '' } = parseOrigin(origin) ?? {};
  const own = join(folder, 'log', logId, '1', 'tile', '0', '000.p');
  const [synced, ...after] = disk.seen.splice(-3);
  t.match(synced, { name: 'sync', path: new RegExp(`^${own}/[.]`) });
  t.strictSame(after, [
    { name: 'rename', path: join(own, '1') },
    { name: 'sync', path: own },
  ]);
  const made = disk.seen.filter(({ name }) => name === 'mkdir').map(({ path }) => path);
  t.equal(made.length, 6);
  for (const path of made) {
    const at = disk.seen.findIndex((effect) => effect.path === path);
    t.strictSame(
      disk.seen[at + 1],
      { name: 'sync', path: join(path, '..') },
      'its parent is synced',
    );
  }
  disk.seen.length = 0;
  await storage.writeTile(origin, { tile, bytes: Buffer.alloc(32) });
  t.equal(disk.seen.length, 3, 'existing folders are not synced again');
  for (const failure of ['before', 'after'] as const) {
    disk.fail = ({ name }) => (name === 'rename' ? failure : null);
    await t.rejects(storage.writeTile(origin, { tile, bytes: Buffer.alloc(32) }), unavailable);
  }
  disk.fail = () => null;
  await storage.writeTile(origin, { tile, bytes: Buffer.alloc(32, 1) });
  t.ok((await storage.readTile(origin, tile))?.equals(Buffer.alloc(32, 1)));
  t.strictSame(await readdir(own), ['1'], 'no partial file stays');
});

test('when any step of a put fails, before or after its effect, no partial blob is visible', async (t) => {
  for (const when of ['before', 'after'] as const) {
    for (let step = 0; step < 5; step += 1) {
      const folder = join(await newFolder(t), 'files');
      const storage = await openFileStorage(folder);
      const disk = await watchDisk(t);
      let steps = 0;
      disk.fail = () => (steps++ === step ? when : null);
      const key = newBlobKey();
      await t.rejects(putRandom(storage, 300_000, key), unavailable, `step ${step} ${when}`);
      t.strictSame(await readdir(join(folder, '.staging'), { recursive: true }).then(files), []);
      for (const listed of await listedKeys(storage)) {
        t.equal((await stat(join(folder, `${listed}.enc`))).size, encryptedSize(300_000));
      }
      disk.fail = () => null;
      const { bytes, ...again } = await putRandom(storage, 300_000, newBlobKey());
      t.ok(bytes.equals(await readBlob(storage, again.key, again)));
    }
  }
});

test('other users may not enter the folders or read the files', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const storage = await openFileStorage(folder);
  const key = newBlobKey();
  const staged = await storage.stage(organisationOfBlob(key), streamOf(Buffer.from('x')));
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  t.equal(await modeOf(staged.path), 0o600);
  await storage.put(key, staged);
  t.equal(await modeOf(join(folder, `${key}.enc`)), 0o600);
  for (const path of [folder, join(folder, '.staging'), join(folder, key.slice(0, 26))]) {
    t.equal(await modeOf(path), 0o700);
  }
});

test('staged files of a dead process are removed at the next start', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const first = await openFileStorage(folder);
  const mine = await first.stage(
    newOrganisationId(),
    streamOf(Buffer.from('still being received')),
  );
  const [own = ''] = await readdir(join(folder, '.staging'));
  const child = run(t, [process.execPath, '--version']);
  await child.ended;
  const world = own.slice(0, own.lastIndexOf('-'));
  const dead = join(folder, '.staging', `${world}-${child.pid}`);
  const elsewhere = join(folder, '.staging', `another-machine-${child.pid}`);
  for (const left of [dead, elsewhere]) {
    await mkdir(left);
    await writeFile(join(left, 'left'), 'half an upload');
  }
  const second = await openFileStorage(folder);
  const marks = await readdir(join(folder, '.staging'));
  t.strictSame(marks.sort(), [own, basename(elsewhere)].sort());
  t.equal((await stat(mine.path)).size, encryptedSize(20));
  t.equal(await second.sweepStaged(new Date(Date.now() - 1_000)), 0);
  t.equal(await second.sweepStaged(new Date(Date.now() + 1_000)), 2);
  t.strictSame(await readdir(join(folder, '.staging')), [own]);
});

test('recreates a staging folder that was swept meanwhile, even for concurrent puts', async (t) => {
  const folder = join(await newFolder(t), 'files');
  const storage = await openFileStorage(folder);
  const [own = ''] = await readdir(join(folder, '.staging'));
  await fs.rmdir(join(folder, '.staging', own));
  const put = await Promise.all(Array.from({ length: 8 }, () => putRandom(storage, 10)));
  for (const { key, bytes, ...facts } of put) {
    t.ok(bytes.equals(await readBlob(storage, key, facts)));
  }
});

function files(names: string[]): string[] {
  return names.filter((name) => name.includes('/'));
}
