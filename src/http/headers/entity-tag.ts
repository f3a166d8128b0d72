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
