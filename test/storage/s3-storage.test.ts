import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import tap, { type Test } from 'tap';
import { createS3Client, defaultS3Limits } from '../../src/storage/s3-client.ts';
import { parseS3Url } from '../../src/storage/s3-location.ts';
import { S3Storage } from '../../src/storage/s3-storage.ts';
import { encrypted, newFolder } from '../support/blobs.ts';
import { isThorough } from '../support/run-count.ts';
import { s3Bucket, startS3Server } from '../support/s3-server.ts';
import { testLogStorage } from '../transparency-log/published/log-storage-contract.ts';
import { type StorageSite, testBlobStorage } from './blob-storage-contract.ts';

const server = await startS3Server(tap);
let sites = 0;

async function newSite(t: Test): Promise<StorageSite> {
  sites += 1;
  const url = `s3://${s3Bucket}/site-${sites}?endpoint=${server.endpoint}`;
  const location = parseS3Url(url);
  const stagingFolder = join(await newFolder(t), 'staging');
  const storage = encrypted(await S3Storage.open(location, { stagingFolder }));
  const client = createS3Client(location, defaultS3Limits);
  t.teardown(async () => {
    await storage.close();
    client.destroy();
  });
  const write = async (name: string, Body: Buffer | string) => {
    const Key = `${location.prefix}${name}`;
    await client.send(new PutObjectCommand({ Bucket: s3Bucket, Key, Body }));
  };
  return {
    storage,
    url,
    stagingFolder,
    // The test server writes an object in place.
    atomic: false,
    overwrite: write,
    async stored(name) {
      const Key = `${location.prefix}${name}`;
      const { Body } = await client.send(new GetObjectCommand({ Bucket: s3Bucket, Key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    litter: (name, text = 'litter') => write(name, text),
    async unreachable() {
      // A port without a listener.
      const nowhere = parseS3Url(`s3://${s3Bucket}?endpoint=http://127.0.0.1:1`);
      const away = encrypted(await S3Storage.open(nowhere, { stagingFolder }));
      t.teardown(() => away.close());
      return away;
    },
  };
}

// Three parts, or two.
testBlobStorage(newSite, { largeBytes: isThorough ? 12_000_000 : 6_000_000 });
testLogStorage(newSite);
