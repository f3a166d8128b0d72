import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib';
import type { Reply } from '../reply.ts';
import { entityTag, isHeld, notModified } from './entity-tag.ts';

/** Content codings of an answer, the best one first. */
export const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

/** Bytes that never change, and their compressed forms. */
export interface CodedBytes {
  /** SHA-256 of the plain bytes, in hexadecimal. */
  readonly digest: string;
  /** Compresses the bytes on first use, and caches them. */
  readonly as: (coding: Coding) => Promise<Buffer>;
}

export function codedBytes(plain: Buffer, digest: string): CodedBytes {
  const packed = new Map<Coding, Promise<Buffer>>([['identity', Promise.resolve(plain)]]);
  return {
    digest,
    as(coding) {
      const known = packed.get(coding);
      if (known !== undefined || coding === 'identity') return known ?? Promise.resolve(plain);
      const packing = compress[coding](plain);
      packed.set(coding, packing);
      return packing;
    },
  };
}

/**
 * Answers in the best coding that the client accepts, or 304 if the client already has those bytes.
 * Each coding has an entity tag of its own (RFC 9110, 8.8.3.3). `headers` accompany both answers.
 */
export async function serveCoded(
  { digest, as }: CodedBytes,
  requested: {
    readonly 'accept-encoding'?: unknown;
    readonly 'if-none-match'?: string | undefined;
  },
  options: {
    readonly status?: number;
    readonly contentType: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Reply> {
  const { status = 200, contentType } = options;
  const coding = codingFor(requested['accept-encoding']?.toString());
  const ETag = entityTag(coding === 'identity' ? digest : `${digest}-${coding}`);
  const headers = { ...options.headers, ETag, Vary: 'Accept-Encoding' };
  if (status === 200 && isHeld(requested['if-none-match'], ETag)) return notModified(headers);
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': contentType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
    },
    body: await as(coding),
  };
}

/** Best coding that Accept-Encoding (RFC 9110, 12.5.3) names and does not refuse. */
function codingFor(accepted = ''): Coding {
  const taken = new Set(
    accepted
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
      .map((one) => one.replace(/\s*;.*$/, '')),
  );
  return codings.find((coding) => taken.has(coding)) ?? 'identity';
}

const compress = {
  // The best quality takes seconds for a megabyte.
  br: (plain: Buffer) => brotli(plain, plain.length > largeBytes ? { params: quickly } : {}),
  gzip: promisify(gzip),
};
const brotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const largeBytes = 131_072;
const quickly = { [constants.BROTLI_PARAM_QUALITY]: 6 };
