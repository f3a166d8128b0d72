import type { IncomingHttpHeaders } from 'node:http';
import { isHeld, notModified } from '../headers/entity-tag.ts';
import type { Reply } from '../reply.ts';
import { type Coding, codings, type PageFile } from './page-files.ts';

/**
 * Answers with the file in the best coding that the browser accepts, or 304 if the browser already
 * has the file.
 */
export async function servePageFile(
  file: PageFile,
  requested: IncomingHttpHeaders,
  { status = 200, policy }: { readonly status?: number; readonly policy: string },
): Promise<Reply> {
  const { ETag, contentType } = file;
  const headers = {
    ETag,
    'Content-Security-Policy': policy,
    // Revalidated each time, so that a page never mixes files of two versions.
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
  };
  if (status === 200 && isHeld(requested['if-none-match'], ETag)) {
    return notModified(headers);
  }
  const coding = codingFor(requested['accept-encoding']);
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': contentType,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
    },
    body: await file.bytes(coding),
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
