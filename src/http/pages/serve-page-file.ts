import type { IncomingHttpHeaders } from 'node:http';
import { serveCoded } from '../headers/content-coding.ts';
import type { Reply } from '../reply.ts';
import type { PageFile } from './page-files.ts';

/** Answers with the file, or 304 if the browser already has it. */
export function servePageFile(
  file: PageFile,
  requested: IncomingHttpHeaders,
  { status = 200, policy }: { readonly status?: number; readonly policy: string },
): Promise<Reply> {
  const { contentType } = file;
  const headers = {
    'Content-Security-Policy': policy,
    // Revalidated each time, so that a page never mixes files of two versions.
    'Cache-Control': 'no-cache',
  };
  return serveCoded(file, requested, { status, contentType, headers });
}
