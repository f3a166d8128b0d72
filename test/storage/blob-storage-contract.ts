import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { type BlobKey, organisationOfBlob } from '../../src/domain/blob/blob-key.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { encryptedSize, headerBytes } from '../../src/encrypted-files/format.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { BlobCorrupt } from '../../src/storage/blob-corrupt.ts';
import type { BlobFacts, BlobStorage } from '../../src/storage/contract.ts';
import type { LogMark } from '../../src/storage/log-mark.ts';
import { openObjectStorage } from '../../src/storage/open-object-storage.ts';
import { sweepBlobs } from '../../src/storage/sweep-blobs.ts';
import {
  encrypted,
  factsOf,
  listedKeys,
  newBlobKey,
  newOrganisationId,
  putRandom,
  readBlob,
  type StoredBlob,
  streamOf,
} from '../support/blobs.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { projectRoot, run } from '../support/run.ts';
import { runCount } from '../support/run-count.ts';
import { seededRandom } from '../support/seed.ts';
import { until } from '../support/until.ts';

const MiB = 1_024 * 1_024;
const hourMs = 60 * 60 * 1_000;

/** One adapter with its own empty storage. */
export interface StorageSite {
  readonly storage: BlobStorage;
  readonly url: string;
  readonly stagingFolder: string;
  /** False if part of a blob may be visible while the storage assembles its pieces. */
  readonly atomic: boolean;
  /** Reads the bytes stored under a name without the adapter. */
  stored(name: string): Promise<Buffer>;
  /** Changes the bytes stored under a name without the adapter. */
  overwrite(name: string, bytes: Buffer): Promise<void>;
  /** Adds a file that is not a blob. */
  litter(name: string, text?: string): Promise<void>;
  /** The same adapter over a missing storage. */
  unreachable(): Promise<BlobStorage>;
}

const someMark: LogMark = { logId: newUlid(), position: 7, eventId: newUlid() };
const anyFacts: BlobFacts = { sizeBytes: 1, sha256: 'ab'.repeat(32) as Digest };

/** Contract of every adapter. `largeBytes` exceeds the size of one request. */
export function testBlobStorage(
  newSite: (t: Test) => Promise<StorageSite>,
  { largeBytes }: { largeBytes: number },
): void {
  test('stored bytes of any size are returned unchanged', async (t) => {
    const { storage } = await newSite(t);
    for (const size of [0, 1, 65_536, 65_537, 5 * MiB, 5 * MiB + 1, largeBytes]) {
      const { key, bytes, ...facts } = await putRandom(storage, size);
      t.ok(bytes.equals(await readBlob(storage, key, facts)), `${size} bytes`);
    }
  });

  test('putting the same bytes again repairs a damaged blob', async (t) => {
    const { storage, overwrite } = await newSite(t);
    const { key, bytes, ...facts } = await putRandom(storage, 70_000);
    await overwrite(`${key}.enc`, Buffer.alloc(encryptedSize(70_000)));
    await t.rejects(readBlob(storage, key, facts), BlobCorrupt);
    for (const damaged of [true, false]) {
      await storage.put(key, await storage.stage(organisationOfBlob(key), streamOf(bytes)));
      t.ok(bytes.equals(await readBlob(storage, key, facts)), `was damaged: ${damaged}`);
    }
    await storage.delete(key);
    await storage.put(key, await storage.stage(organisationOfBlob(key), streamOf(bytes)));
    t.ok(bytes.equals(await readBlob(storage, key, facts)), 'was gone');
  });

  test('a staged blob has size and digest, and is not yet stored', async (t) => {
    const { storage, stagingFolder } = await newSite(t);
    const bytes = randomBytes(200_000);
    const staged = await storage.stage(newOrganisationId(), streamOf(bytes));
    t.match(staged, factsOf(bytes));
    t.strictSame(await listedKeys(storage), []);
    t.equal((await stagedFiles(stagingFolder)).length, 1);
    await staged.discard();
    await staged.discard();
    t.strictSame(await stagedFiles(stagingFolder), []);
  });

  test('an upload that breaks off leaves nothing behind and rejects with its own error', async (t) => {
    const { storage, stagingFolder } = await newSite(t);
    const broken = new Error('the caller went away');
    async function* half() {
      yield randomBytes(100_000);
      throw broken;
    }
    await t.rejects(storage.stage(newOrganisationId(), Readable.from(half())), broken);
    const source = new Readable({ read() {} });
    const staged = storage.stage(newOrganisationId(), source);
    source.push(randomBytes(100_000));
    source.destroy(broken);
    await t.rejects(staged, broken);
    t.strictSame(await stagedFiles(stagingFolder), []);
    // Fail before the file has been created.
    const gone = Array.from({ length: 20 }, () => new Readable({ read() {} }));
    const staging = Promise.allSettled(
      gone.map((each) => storage.stage(newOrganisationId(), each)),
    );
    for (const each of gone) each.destroy(broken);
    for (const each of await staging) t.match(each, { status: 'rejected', reason: broken });
    await (await storage.stage(newOrganisationId(), streamOf(randomBytes(1_000)))).discard();
    t.strictSame(await stagedFiles(stagingFolder), []);
  });

  test('put leaves nothing in the staging area', async (t) => {
    const { storage, stagingFolder } = await newSite(t);
    await putRandom(storage, 1_000);
    t.strictSame(await stagedFiles(stagingFolder), []);
  });

  test('concurrent puts do not disturb each other', async (t) => {
    const { storage } = await newSite(t);
    const random = seededRandom(t);
    const organisations = [newOrganisationId(), newOrganisationId(), newOrganisationId()];
    const blobs = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const size = i % 10 === 0 ? largeBytes : Math.floor(random() * 300_000);
        return await putRandom(storage, size, newBlobKey(organisations[i % 3]));
      }),
    );
    t.strictSame(await listedKeys(storage), blobs.map(({ key }) => key).sort());
    for (const { key, bytes, ...facts } of blobs) {
      t.ok(bytes.equals(await readBlob(storage, key, facts)), key);
    }
  });

  test('reading a changed blob fails before its last bytes', async (t) => {
    const site = await newSite(t);
    const { key, bytes, ...facts } = await putRandom(site.storage, 300_000);
    const name = `${key}.enc`;
    const stored = await site.stored(name);
    const tagged = 65_536 + 16;
    for (const [at, read] of [
      ...[0, 7, 8, 40, headerBytes - 1, headerBytes].map((at) => [at, 0] as const),
      ...[[headerBytes + 2 * tagged, 65_536] as const, [stored.length - 1, 3 * 65_536] as const],
    ]) {
      const flipped = Buffer.from(stored);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await site.overwrite(name, flipped);
      t.ok((await brokenRead(t, site.storage, key, facts)) <= read, `byte ${at}`);
    }
    await site.overwrite(name, stored.subarray(0, -1));
    t.equal(await brokenRead(t, site.storage, key, facts), 0, 'one byte is missing');
    await site.overwrite(name, Buffer.concat([stored, Buffer.of(0)]));
    t.equal(await brokenRead(t, site.storage, key, facts), 0, 'one byte more');
    await site.overwrite(name, stored);
    t.ok(bytes.equals(await readBlob(site.storage, key, facts)));
  });

  test('stores no plain byte of a file, and no equal bytes of equal files', async (t) => {
    const { storage, stored } = await newSite(t);
    const bytes = Buffer.alloc(200_000, 'confidential text ');
    const organisationId = newOrganisationId();
    const keys = [newBlobKey(organisationId), newBlobKey(organisationId)] as const;
    for (const key of keys) {
      const staged = await storage.stage(organisationId, streamOf(bytes));
      t.notOk((await readFile(staged.path)).includes('confidential'), 'nor while it is staged');
      await storage.put(key, staged);
    }
    const [one, two] = await Promise.all(keys.map((key) => stored(`${key}.enc`)));
    t.equal(one?.length, encryptedSize(200_000));
    t.notOk(one?.includes('confidential'));
    const segmentOf = (file?: Buffer) => file?.subarray(headerBytes).toString('hex');
    t.not(segmentOf(one), segmentOf(two));
  });

  test('a blob under the name of another one gives no byte', async (t) => {
    const { storage, stored, overwrite } = await newSite(t);
    const organisationId = newOrganisationId();
    const blobs = [];
    for (const owner of [organisationId, organisationId, newOrganisationId()]) {
      blobs.push(await putRandom(storage, 100_000, newBlobKey(owner)));
    }
    const [{ key, bytes: _, ...facts }, ...others] = blobs as [StoredBlob, StoredBlob, StoredBlob];
    for (const [index, other] of others.entries()) {
      await overwrite(`${key}.enc`, await stored(`${other.key}.enc`));
      const owner = index === 0 ? 'the same' : 'another';
      t.equal(await brokenRead(t, storage, key, facts), 0, `of ${owner} organisation`);
    }
  });

  test('a plain blob of an earlier release is returned, whatever bytes it begins with', async (t) => {
    const { storage, stored, overwrite } = await newSite(t);
    const { key: other } = await putRandom(storage, 1_000);
    for (const bytes of [randomBytes(70_000), await stored(`${other}.enc`), Buffer.alloc(0)]) {
      const key = newBlobKey();
      await overwrite(key, bytes);
      t.ok(bytes.equals(await readBlob(storage, key, factsOf(bytes))));
      t.ok((await listedKeys(storage)).includes(key));
      await overwrite(key, Buffer.from(bytes).fill(1));
      if (bytes.length > 0) await brokenRead(t, storage, key, factsOf(bytes));
      const staged = await storage.stage(organisationOfBlob(key), streamOf(bytes));
      await storage.put(key, staged);
      t.ok(bytes.equals(await readBlob(storage, key, factsOf(bytes))), 'the encrypted form wins');
      await storage.delete(key);
      await t.rejects(storage.open(key, factsOf(bytes)), { name: 'BlobMissing' }, 'both are gone');
    }
  });

  test('an encrypted blob under the name of a plain one is not served', async (t) => {
    const { storage, stored, overwrite } = await newSite(t);
    const { key, bytes: _, ...facts } = await putRandom(storage, 1_000);
    const bytes = await stored(`${key}.enc`);
    await storage.delete(key);
    await overwrite(key, bytes);
    t.equal(await brokenRead(t, storage, key, facts), 0);
  });

  test('a missing blob rejects with BlobMissing, and deleting it succeeds', async (t) => {
    const { storage } = await newSite(t);
    await t.rejects(storage.open(newBlobKey(), anyFacts), { name: 'BlobMissing' });
    await storage.delete(newBlobKey());
    await storage.deleteAll(newOrganisationId());
    const { key, ...facts } = await putRandom(storage, 10);
    await storage.delete(key);
    await t.rejects(storage.open(key, facts), { name: 'BlobMissing' });
    t.strictSame(await listedKeys(storage), []);
  });

  test('refuses texts that are not keys', async (t) => {
    const { storage } = await newSite(t);
    const kept = await putRandom(storage, 10);
    const id = kept.key.slice(0, 26);
    const texts = [
      '',
      '/',
      '..',
      '../..',
      `${id}/..`,
      `../${id}`,
      `${id}/../${id}`,
      `/${kept.key}`,
    ];
    texts.push(`${kept.key}/`, `${kept.key}/x`, `${kept.key}\0`, `${kept.key}\n`, `${id}//${id}`);
    texts.push(`${id}\\${id}`, kept.key.toLowerCase(), '.staging/x', `${id}/%2e%2e`, `${id}`);
    for (const text of texts) {
      const key = text as BlobKey;
      await t.rejects(storage.open(key, anyFacts), TypeError, JSON.stringify(text));
      await t.rejects(storage.delete(key), TypeError);
      const staged = await storage.stage(newOrganisationId(), streamOf(Buffer.from('x')));
      await t.rejects(storage.put(key, staged), TypeError);
      await staged.discard();
      const notAnId = text === id ? `${id}/` : text;
      await t.rejects(storage.deleteAll(notAnId as OrganisationId), TypeError);
    }
    t.strictSame(await listedKeys(storage), [kept.key]);
  });

  test('erasing one organisation leaves the others', async (t) => {
    const { storage } = await newSite(t);
    const [erased, other] = [newOrganisationId(), newOrganisationId()];
    for (let i = 0; i < 5; i += 1) await putRandom(storage, 100, newBlobKey(erased));
    const { key, bytes, ...facts } = await putRandom(storage, 100, newBlobKey(other));
    await storage.deleteAll(erased);
    t.strictSame(await listedKeys(storage), [key]);
    t.ok(bytes.equals(await readBlob(storage, key, facts)));
    await storage.deleteAll(erased);
    const again = await putRandom(storage, 100, newBlobKey(erased));
    t.strictSame(await listedKeys(storage), [again.key, key].sort());
  });

  test('notes of erasures are permanent, and blobs of erased organisations are swept at once', async (t) => {
    const { storage, url, stagingFolder } = await newSite(t);
    t.equal((await storage.erasures()).size, 0);
    const [one, two] = [newOrganisationId(), newOrganisationId()];
    for (const erased of [one, two, one]) await storage.noteErasure(erased);
    await t.rejects(storage.noteErasure('../x' as OrganisationId), TypeError);
    await putRandom(storage, 10, newBlobKey(one));
    const { key } = await putRandom(storage, 10);
    const swept = await sweepBlobs(
      storage,
      async () => new Set(),
      () => new Date(),
    );
    t.match(swept, { seen: 2, deleted: 1 }, 'even if an event names them');
    t.strictSame(await listedKeys(storage), [key]);
    await storage.deleteAll(one);
    const other = encrypted(await openObjectStorage(url, stagingFolder));
    t.teardown(() => other.close());
    t.strictSame([...(await other.erasures())].sort(), [one, two].sort());
    t.strictSame(await stagedFiles(stagingFolder), []);
  });

  test('lists only blobs', async (t) => {
    const site = await newSite(t);
    const { key } = await putRandom(site.storage, 10);
    for (const name of ['README', `${key.slice(0, 26)}/notes.txt`, 'folder/file']) {
      await site.litter(name);
    }
    t.strictSame(await listedKeys(site.storage), [key]);
  });

  test('returns the last written mark of the log, which is stored beside the blobs', async (t) => {
    const { storage, url, stagingFolder } = await newSite(t);
    t.equal(await storage.readLogMark(), null);
    const { key } = await putRandom(storage, 10);
    await storage.writeLogMark(someMark);
    t.strictSame(await storage.readLogMark(), someMark);
    const later = { ...someMark, position: 1_000_000_007 };
    await storage.writeLogMark(later);
    const other = encrypted(await openObjectStorage(url, stagingFolder));
    t.teardown(() => other.close());
    t.strictSame(await other.readLogMark(), later, 'for another process too');
    t.strictSame(await listedKeys(storage), [key]);
    await storage.deleteAll(key.slice(0, 26) as OrganisationId);
    const inTwoDays = () => new Date(Date.now() + 48 * hourMs);
    await sweepBlobs(storage, async () => new Set(), inTwoDays);
    t.strictSame(await storage.readLogMark(), later, 'after any deletion');
    t.strictSame(await stagedFiles(stagingFolder), []);
  });

  test('an invalid mark is an error, not a missing one', async (t) => {
    for (const text of ['', '{', '{"logId":"x"}', '{"logId":"x","position":0,"eventId":"y"}']) {
      const { storage, litter } = await newSite(t);
      await litter('log.json', text);
      await t.rejects(storage.readLogMark(), { message: /log\.json/ }, JSON.stringify(text));
    }
  });

  test('a storage that is away is reported as unavailable within seconds', {
    timeout: 240_000,
  }, async (t) => {
    const site = await newSite(t);
    const storage = await site.unreachable();
    const organisationId = newOrganisationId();
    const unavailable = { name: 'StorageUnavailable' };
    const begun = performance.now();
    await t.rejects(storage.open(newBlobKey(), anyFacts), unavailable);
    await t.rejects(putRandom(storage, 10), unavailable);
    await t.rejects(putRandom(storage, largeBytes), unavailable);
    await t.rejects(storage.deleteAll(organisationId), unavailable);
    await t.rejects(listedKeys(storage), unavailable);
    const swept = sweepBlobs(
      storage,
      async () => new Set(),
      () => new Date(),
    );
    await t.rejects(swept, unavailable);
    await t.rejects(storage.readLogMark(), unavailable);
    await t.rejects(storage.writeLogMark(someMark), unavailable);
    t.ok(performance.now() - begun < (await onThisMachine(30_000)), 'all of them together');
  });

  test('destroying a stream closes its source', async (t) => {
    const { storage } = await newSite(t);
    const { key, bytes: _, ...facts } = await putRandom(storage, largeBytes);
    const before = await openFiles();
    for (let i = 0; i < 20; i += 1) {
      const stream = await storage.open(key, facts);
      if (i % 2 === 0) stream.destroy();
      else for await (const chunk of stream) if (chunk.length > 0) break;
    }
    // A connection kept alive for the next request is not leaked.
    t.ok((await openFiles()) - before < 10);
    t.equal((await readBlob(storage, key, facts)).length, largeBytes);
  });

  test('after kills during puts every stored blob is whole', async (t) => {
    const site = await newSite(t);
    const random = seededRandom(t);
    const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
    const AWS = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    const begun = new Map<string, BlobFacts>();
    const put = new Set<string>();
    for (let round = runCount(2, 4); round > 0; round -= 1) {
      const writer = [process.execPath, join(projectRoot, 'test/support/blob-writer.ts')];
      const writerArgs = [site.url, site.stagingFolder, String(largeBytes)];
      const child = run(t, [...writer, ...writerArgs], { env: AWS });
      // At least one put has succeeded before the last kill.
      const putsBefore = Math.max(Math.floor(random() * 4), round === 1 ? 1 : 0);
      await child.said(new RegExp(`^(put [\\s\\S]*){${putsBefore}}begun`, 'm'));
      await delay(random() * 200);
      child.kill('SIGKILL');
      const { stdout } = await child.ended;
      for (const [, what, key = '', sizeBytes, sha256] of stdout.matchAll(
        /^(begun|put) (\S+)(?: (\d+) (\S+))?$/gm,
      )) {
        if (what === 'put') put.add(key);
        else begun.set(key, { sizeBytes: Number(sizeBytes), sha256: sha256 as Digest });
      }
    }
    const listed = await listedKeys(site.storage);
    t.comment(`${begun.size} begun, ${put.size} put, ${listed.length} there`);
    t.ok(put.size > 0 && begun.size > put.size);
    t.strictSame(
      [...put].filter((key) => !listed.includes(key as BlobKey)),
      [],
    );
    for (const key of listed) {
      const facts = begun.get(key);
      if (facts === undefined) t.fail(`${key} was never put`);
      else t.equal((await readWhole(site, key, facts)).length, facts.sizeBytes);
    }
  });

  test('the sweep deletes exactly the old unnamed blobs', async (t) => {
    const { storage, stagingFolder } = await newSite(t);
    const blobs = [];
    for (let i = 0; i < 6; i += 1) blobs.push(await putRandom(storage, 100));
    await storage.stage(newOrganisationId(), streamOf(randomBytes(100)));
    const keys = blobs.map(({ key }) => key);
    const named = new Set(keys.slice(0, 3));
    const kept = async (asked: readonly BlobKey[]) =>
      new Set(asked.filter((key) => named.has(key)));
    const inHours = (hours: number) => () => new Date(Date.now() + hours * hourMs);
    const staged = (now: () => Date) =>
      storage.sweepStaged(new Date(now().getTime() - 24 * hourMs));
    const young = await sweepBlobs(storage, kept, inHours(23));
    t.equal(await staged(inHours(23)), 0);
    t.strictSame(young, { seen: 6, deleted: 0, halfSent: 0 });
    const old = await sweepBlobs(storage, kept, inHours(25));
    t.strictSame(old, { seen: 6, deleted: 3, halfSent: 0 });
    t.strictSame(await listedKeys(storage), [...named].sort());
    t.equal(await staged(inHours(25)), 1);
    t.strictSame(await stagedFiles(stagingFolder), []);
    const again = await sweepBlobs(storage, kept, inHours(25));
    t.strictSame(again, { seen: 3, deleted: 0, halfSent: 0 });
  });
}

/** Reads a blob that is expected to be corrupt, and returns the bytes received before the error. */
async function brokenRead(
  t: Test,
  storage: BlobStorage,
  key: BlobKey,
  facts: BlobFacts,
): Promise<number> {
  let received = 0;
  const read = async () => {
    for await (const chunk of await storage.open(key, facts)) received += chunk.length;
  };
  await t.rejects(read(), { name: 'BlobCorrupt' });
  return received;
}

async function readWhole(site: StorageSite, key: BlobKey, facts: BlobFacts): Promise<Buffer> {
  if (site.atomic) return await readBlob(site.storage, key, facts);
  return await until(`${key} is whole`, async () => {
    const bytes = await readBlob(site.storage, key, facts).catch((trouble: unknown) => {
      if (trouble instanceof BlobCorrupt) return null;
      throw trouble;
    });
    return bytes;
  });
}

async function stagedFiles(stagingFolder: string): Promise<string[]> {
  const found = await readdir(stagingFolder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function openFiles(): Promise<number> {
  return (await readdir('/proc/self/fd')).length;
}
