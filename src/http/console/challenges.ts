import { sql } from 'kysely';
import { hashToken, personTokenBytes } from '../../domain/person/invitation-token.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import type { SessionDeps } from './sessions.ts';

const defaultMs = 300_000;

/**
 * A new challenge for this purpose, for a passkey to sign or a browser to keep: base64url, 43
 * characters. It holds for `holdsMs`, by default five minutes.
 */
export async function makeChallenge(
  { db, now, randomBytes }: SessionDeps & { readonly randomBytes: (count: number) => Buffer },
  purpose: string,
  holdsMs = defaultMs,
): Promise<string> {
  const challenge = randomBytes(personTokenBytes).toString('base64url');
  const expiresAt = new Date(now().getTime() + holdsMs);
  await sql`DELETE FROM console_challenges WHERE expires_at <= ${now()}`.execute(db);
  await sql`
    INSERT INTO console_challenges (challenge_hash, purpose, expires_at)
    VALUES (${hashToken(challenge)}, ${purpose}, ${expiresAt})`.execute(db);
  return challenge;
}

/** Purpose of a challenge that accepts this invitation in some way. It names the organisation in clear. */
export function purposeOfInvitation(
  way: 'join' | 'oidc',
  organisationId: OrganisationId,
  invitationHash: string,
): string {
  return `${way} ${organisationId} ${invitationHash}`;
}

/** Deletes the challenges that accept invitations of the organisation, and all that have ended. */
export async function forgetChallenges(
  { db, now }: SessionDeps,
  organisationId: OrganisationId,
): Promise<void> {
  await sql`
    DELETE FROM console_challenges
    WHERE expires_at <= ${now()} OR split_part(purpose, ' ', 2) = ${organisationId}`.execute(db);
}

/** Uses up a challenge. False if it was made for another purpose, was used, or has ended. */
export async function takeChallenge(
  { db, now }: SessionDeps,
  purpose: string,
  challenge: string,
): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM console_challenges
    WHERE challenge_hash = ${hashToken(challenge)} AND purpose = ${purpose}
      AND expires_at > ${now()}
    RETURNING 1`.execute(db);
  return rows.length === 1;
}
