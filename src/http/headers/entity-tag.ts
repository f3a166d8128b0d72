import type { Reply } from '../reply.ts';

/** Entity tag of content with this digest; strong, since the bytes never change. */
export function entityTag(digest: string): string {
  return `"${digest}"`;
}

/**
 * Returns true if the client already has the content, by its If-None-Match (RFC 9110, 13.1.2). The
 * comparison is weak.
 */
export function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const held = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return held.includes('*') || held.includes(tag);
}

/** The answer to a client that already has the content, as the routes with entity tags state it. */
export const notModifiedResponse = {
  description: 'not modified: the ETag in If-None-Match is still current',
  headers: ['ETag'],
  empty: true,
} as const;

/** `headers` are those of the content that RFC 9110 (15.4.5) wants repeated, such as its tag. */
export function notModified(headers: Readonly<Record<string, string>>): Reply {
  return { status: 304, headers, body: null };
}
