import { createHash } from 'node:crypto';
import type { Digest } from '../proof/digest.ts';
import { isUlid, type OrganisationId } from '../ulid.ts';

/** Random bytes of a token: nobody can guess 256 bits. */
export const personTokenBytes = 32;

/** A period in which an invitation holds. */
export const invitationMs = 86_400_000;

/** Text of an invitation for its link: the organisation, a dot, and 43 characters of base64url. */
export function formatInvitation(organisationId: OrganisationId, random: Buffer): string {
  return `${organisationId}.${random.toString('base64url')}`;
}

/** The parts of an invitation's text; null if it cannot be one. */
export function parseInvitation(
  text: string,
): { readonly organisationId: OrganisationId; readonly invitationHash: Digest } | null {
  const [organisationId = '', token = '', ...more] = text.split('.');
  if (!isUlid(organisationId) || !isPersonToken(token) || more.length > 0) return null;
  return { organisationId: organisationId as OrganisationId, invitationHash: hashToken(token) };
}

export function isPersonToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** SHA-256 of a token, lower-case hex: the only form in which a token is stored. */
export function hashToken(token: string): Digest {
  return createHash('sha256').update(token, 'utf8').digest('hex') as Digest;
}
