import { sql } from 'kysely';
import { hashToken, personTokenBytes } from '../../domain/person/invitation-token.ts';
import type { SessionDeps } from './sessions.ts';

const challengeMs = 300_000;

/** A new challenge that a passkey is to sign for this purpose: base64url, 43 characters. */
export async function makeChallenge(
  { db, now, randomBytes }: SessionDeps & { readonly randomBytes: (count: number) => Buffer },
  purpose: string,
): Promise<string> {
  const challenge = randomBytes(personTokenBytes).toString('base64url');
  const expiresAt = new Date(now().getTime() + challengeMs);
  await sql`DELETE FROM console_challenges WHERE expires_at <= ${now()}`.execute(db);
  await sql`
    INSERT INTO console_challenges (challenge_hash, purpose, expires_at)
    VALUES (${hashToken(challenge)}, ${purpose}, ${expiresAt})`.execute(db);
  return challenge;
}

/** Uses up a challenge. False if it was made for another purpose, was used, or is 5 minutes old. */
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
