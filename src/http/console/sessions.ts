import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { hashToken, personTokenBytes } from '../../domain/person/invitation-token.ts';
import type { OrganisationId, PersonId } from '../../domain/ulid.ts';
import type { ReadModels } from '../../subscriptions/projection.ts';

export const sessionMs = 12 * 3_600_000;

export interface SessionDeps {
  readonly db: ReadModels;
  readonly now: () => Date;
}

/** A person of an organisation. */
export interface SessionPerson {
  readonly organisationId: OrganisationId;
  readonly personId: PersonId;
}

/** A person who is signed in. */
export interface Session extends SessionPerson {
  /**
   * The person's `registrations` at the sign-in. The session holds only while they are the same. So
   * a session that begins while the person registers again ends with the former way to sign in.
   */
  readonly registration: number;
}

/**
 * Starts a session of 12 hours, and returns its token, which is stored as a hash only. Deletes
 * sessions that have ended, of everybody.
 */
export async function startSession(
  { db, now, randomBytes }: SessionDeps & { readonly randomBytes: (count: number) => Buffer },
  { organisationId, personId, registration }: Session,
): Promise<string> {
  const token = randomBytes(personTokenBytes).toString('base64url');
  const startedAt = now();
  const expiresAt = new Date(startedAt.getTime() + sessionMs);
  await sql`DELETE FROM console_sessions WHERE expires_at <= ${startedAt}`.execute(db);
  await sql`
    INSERT INTO console_sessions
      (token_hash, organisation_id, person_id, registration, started_at, expires_at)
    VALUES
      (${hashToken(token)}, ${organisationId}, ${personId}, ${registration}, ${startedAt}, ${expiresAt})
  `.execute(db);
  return token;
}

/** The sessions of tokens, by their hashes, without those that have ended or never were. */
export async function findSessions(
  { db, now }: SessionDeps,
  tokenHashes: readonly string[],
): Promise<ReadonlyMap<string, Session>> {
  const { rows } = await sql<Session & { readonly tokenHash: string }>`
    SELECT token_hash AS "tokenHash", organisation_id AS "organisationId",
      person_id AS "personId", registration
    FROM console_sessions
    WHERE token_hash = ANY(${tokenHashes}) AND expires_at > ${now()} AND registration IS NOT NULL
  `.execute(db);
  return new Map(rows.map(({ tokenHash, ...session }) => [tokenHash, session]));
}

export async function endSession({ db }: Pick<SessionDeps, 'db'>, token: string): Promise<void> {
  await sql`DELETE FROM console_sessions WHERE token_hash = ${hashToken(token)}`.execute(db);
}

/** The only form in which the token of a session is stored. */
export function sessionHash(token: string): string {
  return hashToken(token);
}

/** Ends all sessions of a person. */
export async function endSessionsOf(
  { db }: Pick<SessionDeps, 'db'>,
  { organisationId, personId }: SessionPerson,
): Promise<void> {
  await sql`
    DELETE FROM console_sessions
    WHERE organisation_id = ${organisationId} AND person_id = ${personId}`.execute(db);
}

/** Ends all sessions of an organisation's people. */
export async function forgetSessions(
  db: ReadModels,
  organisationId: OrganisationId,
): Promise<void> {
  await sql`DELETE FROM console_sessions WHERE organisation_id = ${organisationId}`.execute(db);
}

/** Token that forms of the session carry. It follows from the session's, and is stored nowhere. */
export function formToken(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url');
}

export function isFormToken(token: string, given: string): boolean {
  const expected = Buffer.from(formToken(token));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
