import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { type BlobKey, checkBlobKey, organisationOfBlob } from '../domain/blob/blob-key.ts';
import { isUlid, type OrganisationId } from '../domain/ulid.ts';
import type { FileEncryption } from '../encrypted-files/file-encryption.ts';
import { type BlobForm, blobName, parseBlobName } from './blob-form.ts';
import type { StagedBlob } from './contract.ts';
import { checkErased, erasedOf, erasuresName, formatErasureNote } from './erasure-notes.ts';
import { formatLogMark, type LogMark, logMarkName, parseLogMark } from './log-mark.ts';
import type { ListedObject, ObjectStorage, StoredObject } from './object-storage.ts';
import { reachingFiles, reachingS3 } from './reaching.ts';
import { createS3Client, defaultS3Limits, type S3Limits } from './s3-client.ts';
import { isMissing, isNoSuchUpload } from './s3-errors.ts';
import { halfSentUploads } from './s3-half-sent.ts';
import type { S3Location } from './s3-location.ts';
import { type S3Target, uploadToS3 } from './s3-upload.ts';
import { Slots } from './slots.ts';
import { StagingArea } from './staging-area.ts';
import { wrapStorageError } from './wrap-storage-error.ts';

const uploadsAtOnce = 4;
const deletesAtOnce = 16;
const stallMs = 60_000;
const msPerMiB = 1_000;

interface S3StorageOptions {
  /** Absolute; receives uploads. Created (0700) if missing. */
  readonly stagingFolder: string;
  readonly limits?: S3Limits;
}

/**
 * Blobs as objects `<prefix><organisationId>/<ULID>.enc` of one bucket. The bucket must exist and keep
 * no old versions: a deleted blob would survive in them.
 */
export class S3Storage implements ObjectStorage {
  readonly #client: S3Client;
  readonly #location: S3Location;
  readonly #limits: S3Limits;
  readonly #staging: StagingArea;
  readonly #slots = new Slots(uploadsAtOnce, stallMs);

  private constructor(location: S3Location, limits: S3Limits, staging: StagingArea) {
    this.#client = createS3Client(location, limits);
    this.#location = location;
    this.#limits = limits;
    this.#staging = staging;
  }

  /** Does not connect to the bucket yet. */
  static async open(location: S3Location, options: S3StorageOptions): Promise<S3Storage> {
    const { stagingFolder, limits = defaultS3Limits } = options;
    try {
      const staging = await StagingArea.open(stagingFolder, { durable: false });
      return new S3Storage(location, limits, staging);
    } catch (trouble) {
      throw wrapStorageError(trouble, `uploads cannot be received in ${stagingFolder}`);
    }
  }

  /** Opens a bucket to read it: creates no folder for uploads. */
  static toRead(location: S3Location, { stagingFolder }: S3StorageOptions): S3Storage {
    return new S3Storage(location, defaultS3Limits, StagingArea.toRead(stagingFolder));
  }

  stage(source: Readable, encryption: () => Promise<FileEncryption>): Promise<StagedBlob> {
    return this.#staging.stage(source, encryption);
  }

  async put(key: BlobKey, staged: StagedBlob): Promise<void> {
    const target = this.#target(key, 'encrypted');
    const limitMs = this.#limits.callMs + Math.ceil(staged.sizeBytes / 2 ** 20) * msPerMiB;
    try {
      await this.#slots.run(organisationOfBlob(key), () =>
        reachingS3(`storing blob ${key}`, () => uploadToS3(this.#client, target, staged, limitMs)),
      );
    } finally {
      await staged.discard();
    }
  }

  async open(key: BlobKey, form: BlobForm): Promise<StoredObject | null> {
    const target = this.#target(key, form);
    return await reachingS3(`reading blob ${key}`, async () => {
      const found = await this.#get(target).catch((trouble: unknown) => {
        if (isMissing(trouble)) return null;
        throw trouble;
      });
      if (found === null) return null;
      // In Node the body is the response itself.
      return { sizeBytes: found.ContentLength, bytes: found.Body as unknown as Readable };
    });
  }

  async delete(key: BlobKey, form: BlobForm): Promise<void> {
    const command = new DeleteObjectCommand(this.#target(key, form));
    await reachingS3(`deleting blob ${key}`, () => this.#client.send(command, this.#withinLimit()));
  }

  async deleteAll(organisationId: OrganisationId): Promise<void> {
    if (!isUlid(organisationId)) throw new TypeError('an organisation id must be a ULID');
    await reachingS3(`deleting the blobs of ${organisationId}`, async () => {
      await this.#abortHalfSent(`${organisationId}/`, () => true);
      for await (const page of this.#pages(`${organisationId}/`)) {
        await this.#deleteEach(page.flatMap(({ Key }) => Key ?? []));
      }
    });
  }

  async *list(): AsyncIterable<ListedObject> {
    try {
      for await (const page of this.#pages('')) {
        for (const { Key = '', LastModified } of page) {
          const blob = parseBlobName(Key.slice(this.#location.prefix.length));
          if (blob !== null && LastModified !== undefined) {
            yield { ...blob, storedAt: LastModified };
          }
        }
      }
    } catch (trouble) {
      throw wrapStorageError(trouble, 'the S3 storage failed: listing blobs');
    }
  }

  async sweepStaged(before: Date): Promise<number> {
    return await reachingFiles('sweeping staged files', () => this.#staging.sweep(before));
  }

  async sweepHalfSent(before: Date): Promise<number> {
    return await reachingS3('sweeping half-sent blobs', () =>
      this.#abortHalfSent('', (initiated) => initiated < before),
    );
  }

  async readLogMark(): Promise<LogMark | null> {
    const text = await reachingS3('reading the mark of the log', async () => {
      const found = await this.#get(this.#named(logMarkName)).catch((trouble: unknown) => {
        if (isMissing(trouble)) return null;
        throw trouble;
      });
      return found === null ? null : ((await found.Body?.transformToString()) ?? '');
    });
    return text === null ? null : parseLogMark(text);
  }

  async writeLogMark(mark: LogMark): Promise<void> {
    await this.#putText(logMarkName, formatLogMark(mark), 'writing the mark of the log');
  }

  async noteErasure(organisationId: OrganisationId): Promise<void> {
    const name = `${erasuresName}/${checkErased(organisationId)}`;
    const note = formatErasureNote(organisationId, new Date());
    await this.#putText(name, note, `noting the erasure of ${organisationId}`);
  }

  async erasures(): Promise<ReadonlySet<OrganisationId>> {
    const under = `${erasuresName}/`;
    return await reachingS3('reading which organisations were erased', async () => {
      const names: string[] = [];
      for await (const page of this.#pages(under)) {
        names.push(...page.map(({ Key = '' }) => Key.slice(this.#named(under).Key.length)));
      }
      return erasedOf(names);
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #target(key: BlobKey, form: BlobForm): S3Target {
    return this.#named(blobName(checkBlobKey(key), form));
  }

  #named(name: string): S3Target {
    return { Bucket: this.#location.bucket, Key: `${this.#location.prefix}${name}` };
  }

  async #putText(name: string, Body: string, what: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.#named(name), Body });
    await reachingS3(what, () => this.#client.send(command, this.#withinLimit()));
  }

  /** The limit ends with the answer's head: the time for its body depends on the reader. */
  async #get(target: S3Target) {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.#limits.callMs);
    try {
      return await this.#client.send(new GetObjectCommand(target), { abortSignal: limit.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Deletes one by one: the checksums that servers require for bulk deletion differ. */
  async #deleteEach(keys: readonly string[]): Promise<void> {
    const left = keys.values();
    const deleteLeft = async () => {
      for (const Key of left) {
        const command = new DeleteObjectCommand({ Bucket: this.#location.bucket, Key });
        await this.#client.send(command, this.#withinLimit());
      }
    };
    await Promise.all(Array.from({ length: deletesAtOnce }, deleteLeft));
  }

  async *#pages(under: string) {
    const Prefix = `${this.#location.prefix}${under}`;
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#location.bucket, Prefix },
    );
    for await (const { Contents = [] } of pages) yield Contents;
  }

  async #abortHalfSent(under: string, chosen: (initiated: Date) => boolean): Promise<number> {
    let aborted = 0;
    const { bucket: Bucket, prefix } = this.#location;
    for await (const { Key, UploadId, initiated } of halfSentUploads(
      this.#client,
      Bucket,
      `${prefix}${under}`,
    )) {
      if (parseBlobName(Key.slice(prefix.length)) === null || !chosen(initiated)) continue;
      const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
      await this.#client.send(command, this.#withinLimit()).catch((trouble: unknown) => {
        if (!isNoSuchUpload(trouble)) throw trouble;
      });
      aborted += 1;
    }
    return aborted;
  }

  #withinLimit() {
    return { abortSignal: AbortSignal.timeout(this.#limits.callMs) };
  }
}
