import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { reachingS3 } from '../../storage/reaching.ts';
import { createS3Client, defaultS3Limits, type S3Limits } from '../../storage/s3-client.ts';
import { isMissing } from '../../storage/s3-errors.ts';
import type { S3Location } from '../../storage/s3-location.ts';
import { logFolder } from '../../storage/storage-folder.ts';
import type { LogFiles } from './log-files.ts';

/** The log's files as objects `<prefix>log/<name>` of the bucket that holds the blobs. */
export class S3LogFiles implements LogFiles {
  readonly #client: S3Client;
  readonly #location: S3Location;
  readonly #limits: S3Limits;

  /** Does not connect to the bucket yet. */
  constructor(location: S3Location, limits: S3Limits = defaultS3Limits) {
    this.#client = createS3Client(location, limits);
    this.#location = location;
    this.#limits = limits;
  }

  read(name: string): Promise<Buffer | null> {
    return reachingS3(`reading ${name} of the log`, async () => {
      const found = await this.#client
        .send(new GetObjectCommand(this.#target(name)), this.#withinLimit())
        .catch((trouble: unknown) => {
          if (isMissing(trouble)) return null;
          throw trouble;
        });
      if (found === null) return null;
      return Buffer.from((await found.Body?.transformToByteArray()) ?? []);
    });
  }

  async write(name: string, bytes: Buffer): Promise<void> {
    const command = new PutObjectCommand({ ...this.#target(name), Body: bytes });
    await reachingS3(`writing ${name} of the log`, () =>
      this.#client.send(command, this.#withinLimit()),
    );
  }

  async remove(name: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#target(name));
    await reachingS3(`removing ${name} of the log`, () =>
      this.#client.send(command, this.#withinLimit()),
    );
  }

  list(folder: string): Promise<readonly string[]> {
    const Prefix = `${this.#location.prefix}${logFolder}/${folder}/`;
    return reachingS3(`listing ${folder} of the log`, async () => {
      const names: string[] = [];
      const pages = paginateListObjectsV2(
        { client: this.#client },
        { Bucket: this.#location.bucket, Prefix },
        this.#withinLimit(),
      );
      for await (const { Contents = [] } of pages) {
        names.push(...Contents.flatMap(({ Key }) => Key?.slice(Prefix.length) ?? []));
      }
      return names;
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #target(name: string) {
    const { bucket, prefix } = this.#location;
    return { Bucket: bucket, Key: `${prefix}${logFolder}/${name}` };
  }

  #withinLimit() {
    return { abortSignal: AbortSignal.timeout(this.#limits.callMs) };
  }
}
