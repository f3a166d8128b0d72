import { S3Client } from '@aws-sdk/client-s3';
import type { S3Location } from './s3-location.ts';

/** Time limits of the storage, in milliseconds. */
export interface S3Limits {
  /** To connect. */
  readonly connectMs: number;
  /** Until the answer to one request begins. */
  readonly answerMs: number;
  /** Without a byte in either direction, while a blob is read. */
  readonly silenceMs: number;
  /** For one call of the storage with all its attempts, excluding the bytes of a blob. */
  readonly callMs: number;
}

export const defaultS3Limits: S3Limits = {
  connectMs: 3_000,
  answerMs: 15_000,
  silenceMs: 60_000,
  callMs: 30_000,
};

const attempts = 3;
const maxSockets = 64;

/**
 * A client of the bucket's servers. With a custom
 * endpoint, the bucket is part of the path, not of the host name. Only requested checksums are
 * used: many compatible servers do not know the SDK's default ones.
 */
export function createS3Client(location: S3Location, limits: S3Limits): S3Client {
  const region = location.region ?? (location.endpoint === null ? null : 'us-east-1');
  return new S3Client({
    ...(region === null ? {} : { region }),
    ...(location.credentials && { credentials: location.credentials.reveal() }),
    ...(location.endpoint === null ? {} : { endpoint: location.endpoint, forcePathStyle: true }),
    maxAttempts: attempts,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.answerMs,
      socketTimeout: limits.silenceMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
      logger: silent,
    },
  });
}

/** Silences the SDK, which would print to the console. Errors are thrown anyway. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
