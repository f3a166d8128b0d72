import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { FileDamaged } from '../encrypted-files/file-damaged.ts';
import { encryptedSize, headerBytes } from '../encrypted-files/format.ts';
import { SegmentDecryption } from '../encrypted-files/segment-decryption.ts';
import type { StagedBlob } from './contract.ts';
import { isMissing } from './s3-errors.ts';
import { StorageUnavailable } from './storage-unavailable.ts';

/** S3's minimum part size; an upload holds a few parts in memory. */
const partBytes = 5 * 1_024 * 1_024;
const maxParts = 10_000;
const partsAtOnce = 2;

export interface S3Target {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Sends a staged blob: in one request up to the size of a part, otherwise in parts, which become
 * one object only when all have arrived. Bytes are decrypted while they are read from disk, so that
 * an object that cannot be decrypted is never completed. Servers verify each request's bytes by
 * its signature, and by SHA-256 (one request) or CRC32 (parts) if they support these.
 */
export async function uploadToS3(
  client: S3Client,
  target: S3Target,
  staged: StagedBlob,
  limitMs: number,
): Promise<void> {
  if (encryptedSize(staged.sizeBytes) <= partBytes)
    await sendWhole(client, target, staged, limitMs);
  else await sendParts(client, target, staged, limitMs);
}

async function sendWhole(
  client: S3Client,
  target: S3Target,
  staged: StagedBlob,
  limitMs: number,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of rereading(staged)) chunks.push(chunk);
  const Body = Buffer.concat(chunks);
  const put = new PutObjectCommand({
    ...target,
    Body,
    ContentType: 'application/octet-stream',
    ChecksumSHA256: hash('sha256', Body, 'base64'),
  });
  await client.send(put, { abortSignal: AbortSignal.timeout(limitMs) });
}

async function sendParts(
  client: S3Client,
  target: S3Target,
  staged: StagedBlob,
  limitMs: number,
): Promise<void> {
  const upload = new Upload({
    client,
    params: {
      ...target,
      Body: Readable.from(rereading(staged), { objectMode: false }),
      ContentType: 'application/octet-stream',
      ChecksumAlgorithm: 'CRC32',
    },
    partSize: Math.max(partBytes, Math.ceil(encryptedSize(staged.sizeBytes) / maxParts)),
    queueSize: partsAtOnce,
  });
  const timer = setTimeout(() => void upload.abort(), limitMs);
  try {
    await upload.done();
  } catch (trouble) {
    // The answer to the completion may have been lost, so check for the object.
    if (!(await isComplete(client, target, staged, limitMs))) throw trouble;
  } finally {
    clearTimeout(timer);
  }
}

/** True if the object is stored: no other upload uses the key, and objects appear only complete. */
async function isComplete(
  client: S3Client,
  target: S3Target,
  staged: StagedBlob,
  limitMs: number,
): Promise<boolean> {
  try {
    const abortSignal = AbortSignal.timeout(limitMs);
    const { ContentLength } = await client.send(new HeadObjectCommand(target), { abortSignal });
    return ContentLength === encryptedSize(staged.sizeBytes);
  } catch (trouble) {
    if (isMissing(trouble)) return false;
    throw trouble;
  }
}

/** The encrypted bytes again; throws if they have changed. */
async function* rereading(staged: StagedBlob): AsyncGenerator<Buffer> {
  const decryption = new SegmentDecryption(staged.contentKey, staged.sizeBytes);
  yield staged.header;
  const segments = { start: headerBytes, highWaterMark: 1_024 * 1_024 };
  try {
    for await (const chunk of createReadStream(staged.path, segments)) {
      decryption.push(chunk);
      yield chunk;
    }
    decryption.end();
  } catch (error) {
    if (!(error instanceof FileDamaged)) throw error;
    throw new StorageUnavailable(
      'the disk that receives uploads returned different bytes than were written',
      { cause: error },
    );
  }
}
