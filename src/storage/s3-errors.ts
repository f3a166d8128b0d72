import { S3ServiceException } from '@aws-sdk/client-s3';

/** The object is missing, in a bucket that exists. */
export function isMissing(trouble: unknown): boolean {
  return isAnswer(trouble, ['NoSuchKey', 'NotFound']);
}

/** The multipart upload is unknown: completed, aborted, or never begun. */
export function isNoSuchUpload(trouble: unknown): boolean {
  return isAnswer(trouble, ['NoSuchUpload']);
}

/** The server reports that it does not implement the request. */
export function isNotImplemented(trouble: unknown): boolean {
  return isAnswer(trouble, ['NotImplemented', 'MethodNotAllowed']);
}

function isAnswer(trouble: unknown, codes: readonly string[]): boolean {
  return trouble instanceof S3ServiceException && codes.includes(trouble.name);
}
