import { appendFile, open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import tap, { type Test, test } from 'tap';
import { organisationOfBlob } from '../../src/domain/blob/blob-key.ts';
import { encryptedSize } from '../../src/encrypted-files/format.ts';
import type { BlobStorage } from '../../src/storage/contract.ts';
import { defaultS3Limits, type S3Limits } from '../../src/storage/s3-client.ts';
import { parseS3Url } from '../../src/storage/s3-location.ts';
import { S3Storage } from '../../src/storage/s3-storage.ts';
import {
  encrypted,
  listedKeys,
  newBlobKey,
  newFolder,
  putRandom,
  readBlob,
  streamOf,
} from '../support/blobs.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { createS3Proxy, type S3Fault, type S3Proxy } from '../support/s3-proxy.ts';
import { s3Bucket, startS3Server } from '../support/s3-server.ts';

const small = 100_000;
/** Size of a blob that is uploaded in two parts. */
const large = 5_500_000;
const unavailable = { name: 'StorageUnavailable' };

const server = await startS3Server(tap);
let sites = 0;

/** Limits for calls that must fail in time. */
const impatient = { answerMs: 700, callMs: 3_000 };
/** Limits for calls that must succeed on a slow machine. A hanging server costs them seconds. */
const patient = { answerMs: 3_000, callMs: 60_000 };

/** An S3 storage behind its own proxy. */
async function newSite(
  t: Test,
  given: Partial<S3Limits> = impatient,
): Promise<{ storage: BlobStorage; proxy: S3Proxy }> {
  sites += 1;
  const proxy = await createS3Proxy(t, server.endpoint);
  const location = parseS3Url(`s3://${s3Bucket}/faults-${sites}?endpoint=${proxy.endpoint}`);
  const stagingFolder = join(await newFolder(t), 'staging');
  const limits = { ...defaultS3Limits, ...given };
  const storage = encrypted(await S3Storage.open(location, { stagingFolder, limits }));
  t.teardown(() => storage.close());
  return { storage, proxy };
}

async function flipByte(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.of(buffer.readUInt8(0) ^ 1), 0, 1, at);
  await file.close();
}

/** A fault for only the request with this number. */
const once = (fault: S3Fault, at: number) => (_: unknown, index: number) =>
  index === at ? fault : null;

test('every request with bytes has their checksum', async (t) => {
  const { storage, proxy } = await newSite(t, {});
  await putRandom(storage, small);
  await putRandom(storage, large);
  const sent = proxy.seen.filter(({ method }) => method === 'PUT');
  const [whole, ...parts] = sent.map(({ checksums }) => checksums);
  t.strictSame(whole, ['x-amz-content-sha256', 'x-amz-checksum-sha256']);
  t.equal(parts.length, 2);
  for (const part of parts) t.strictSame(part, ['x-amz-content-sha256', 'x-amz-checksum-crc32']);
});

for (const [name, size, requests] of [
  ['in one request', small, 1],
  ['in parts', large, 4],
] as const) {
  for (const fault of ['before', 'after', 'busy', 'hang'] as const) {
    test(`a put ${name} succeeds although any one request meets "${fault}"`, async (t) => {
      const { storage, proxy } = await newSite(t, fault === 'hang' ? patient : {});
      for (let at = 0; at < requests; at += 1) {
        let index = -1;
        const chosen = once(fault, at);
        proxy.fault = () => chosen(null, ++index);
        const { key, bytes, ...facts } = await putRandom(storage, size);
        proxy.fault = () => null;
        t.ok(index >= requests, 'more requests than needed');
        t.ok(bytes.equals(await readBlob(storage, key, facts)), `request ${at}`);
      }
    });
  }

  for (const fault of ['before', 'busy', 'hang'] as const) {
    test(`a put ${name} fails in time if all requests meet "${fault}"`, async (t) => {
      const { storage, proxy } = await newSite(t);
      proxy.fault = () => fault;
      const begun = performance.now();
      await t.rejects(putRandom(storage, size), unavailable);
      t.ok(performance.now() - begun < (await onThisMachine(25_000)));
      proxy.fault = () => null;
      t.strictSame(await listedKeys(storage), []);
    });
  }
}

test('a failed multipart upload is aborted, and nothing is visible', async (t) => {
  const { storage, proxy } = await newSite(t);
  proxy.fault = ({ url }) => (url.includes('partNumber=2') ? 'busy' : null);
  await t.rejects(putRandom(storage, large), unavailable);
  t.ok(proxy.seen.some(({ method, url }) => method === 'DELETE' && url.includes('uploadId=')));
  t.strictSame(await listedKeys(storage), []);
});

test('a server killed during a put leaves nothing visible', async (t) => {
  const { storage, proxy } = await newSite(t, patient);
  proxy.fault = ({ url }) => {
    if (url.includes('partNumber=2')) server.current().kill('SIGKILL');
    return null;
  };
  await t.rejects(putRandom(storage, large), unavailable);
  await t.rejects(listedKeys(storage), unavailable);
  proxy.fault = () => null;
  await server.restart();
  t.strictSame(await listedKeys(storage), []);
  const { key, bytes, ...facts } = await putRandom(storage, large);
  t.ok(bytes.equals(await readBlob(storage, key, facts)));
});

test('never stores a staged file that changed on disk', async (t) => {
  const { storage } = await newSite(t, patient);
  for (const size of [small, large]) {
    for (const change of [
      (path: string) => appendFile(path, 'b'),
      (path: string) => truncate(path, 200),
      (path: string) => flipByte(path, encryptedSize(size) - 1),
      (path: string) => flipByte(path, 200),
    ]) {
      const key = newBlobKey();
      const bytes = streamOf(Buffer.alloc(size, 'a'));
      const staged = await storage.stage(organisationOfBlob(key), bytes);
      await change(staged.path);
      await t.rejects(storage.put(key, staged), unavailable);
    }
  }
  t.strictSame(await listedKeys(storage), []);
});

test('an answer that breaks off fails the read before its last bytes', async (t) => {
  const { storage, proxy } = await newSite(t, {});
  const { key, bytes: _, ...facts } = await putRandom(storage, large);
  proxy.fault = () => 'half';
  let received = 0;
  const read = async () => {
    for await (const chunk of await storage.open(key, facts)) received += chunk.length;
  };
  await t.rejects(read(), unavailable);
  t.ok(received < large);
});

test('an answer that stalls fails the read in time', async (t) => {
  const { storage, proxy } = await newSite(t, { silenceMs: 700 });
  const { key, bytes: _, ...facts } = await putRandom(storage, large);
  proxy.fault = () => 'stall';
  const begun = performance.now();
  await t.rejects(readBlob(storage, key, facts), unavailable);
  t.ok(performance.now() - begun < (await onThisMachine(5_000)));
});

test('calls to a server that never answers fail in time', async (t) => {
  const { storage, proxy } = await newSite(t);
  const { key, bytes: _, ...facts } = await putRandom(storage, small);
  proxy.fault = () => 'hang';
  const begun = performance.now();
  await Promise.all([
    t.rejects(storage.open(key, facts), unavailable),
    t.rejects(storage.delete(key), unavailable),
    t.rejects(listedKeys(storage), unavailable),
    t.rejects(storage.sweepHalfSent(new Date()), unavailable),
  ]);
  t.ok(performance.now() - begun < (await onThisMachine(10_000)));
});

test('a missing or forbidden bucket is reported as unavailable, not as a missing blob', async (t) => {
  const { storage, proxy } = await newSite(t, patient);
  const { key, bytes: _, ...facts } = await putRandom(storage, small);
  const stagingFolder = join(await newFolder(t), 'staging');
  const nowhere = parseS3Url(`s3://no-such-bucket?endpoint=${server.endpoint}`);
  const other = encrypted(await S3Storage.open(nowhere, { stagingFolder }));
  t.teardown(() => other.close());
  await t.rejects(other.open(key, facts), unavailable);
  proxy.fault = () => 'denied';
  await t.rejects(storage.open(key, facts), unavailable);
  await t.rejects(putRandom(storage, small), unavailable);
});
