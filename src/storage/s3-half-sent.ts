import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { isNotImplemented } from './s3-errors.ts';

interface HalfSentUpload {
  readonly Key: string;
  readonly UploadId: string;
  readonly initiated: Date;
}

/**
 * The multipart uploads of a bucket that are neither completed nor aborted. Empty if the server
 * does not list them: a rule of the bucket must expire them there.
 */
export async function* halfSentUploads(
  client: S3Client,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<HalfSentUpload> {
  let markers = {};
  for (;;) {
    const page: Partial<ListMultipartUploadsCommandOutput> = await client
      .send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...markers }))
      .catch((trouble: unknown) => {
        if (isNotImplemented(trouble)) return {};
        throw trouble;
      });
    for (const { Key, UploadId, Initiated: initiated } of page.Uploads ?? []) {
      if (Key !== undefined && UploadId !== undefined && initiated !== undefined) {
        yield { Key, UploadId, initiated };
      }
    }
    if (page.IsTruncated !== true) return;
    markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}
