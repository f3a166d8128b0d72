/** The entity tag of content with this digest: strong, since the bytes are the same for ever. */
export function entityTag(digest: string): string {
  return `"${digest}"`;
}

/**
 * Whether the client has it already, by its If-None-Match (RFC 9110, 13.1.2), which compares weakly.
 */
export function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const held = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return held.includes('*') || held.includes(tag);
}
