import { sql } from 'kysely';
import { streams } from '../../domain/streams.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { findPeople, memberOf, type PeopleOfOrganisation } from './member-of.ts';
import type { Session, SessionDeps } from './sessions.ts';

/** Reads which of these sessions, by the hashes of their tokens, still sign somebody in. */
export type ReadSessions = (tokenHashes: readonly string[]) => Promise<ReadonlySet<string>>;

interface Known {
  /** Versions of the streams that `found` was read from. */
  readonly versions: string;
  readonly found: PeopleOfOrganisation | null;
}

/**
 * Asks by the rule of pages (`memberOf`), so that a session ends here whatever ended it there. Reads
 * people again only after something was appended about them.
 */
export function createReadSessions({
  db,
  now,
  store,
}: SessionDeps & { readonly store: EventStore }): ReadSessions {
  let known: ReadonlyMap<OrganisationId, Known> = new Map();

  async function lookUp(id: OrganisationId): Promise<Known> {
    const newest = [store.readLast(streams.organisation(id)), store.readLast(streams.people(id))];
    const versions = (await Promise.all(newest)).map((event) => event?.version ?? 0).join();
    const before = known.get(id);
    if (before?.versions === versions) return before;
    return { versions, found: await findPeople(store, id) };
  }

  return async (tokenHashes) => {
    const { rows } = await sql<Session & { readonly tokenHash: string }>`
      SELECT token_hash AS "tokenHash", organisation_id AS "organisationId",
        person_id AS "personId", registration
      FROM console_sessions
      WHERE token_hash = ANY(${tokenHashes}) AND expires_at > ${now()} AND registration IS NOT NULL
    `.execute(db);
    const ids = [...new Set(rows.map(({ organisationId }) => organisationId))];
    known = new Map(await Promise.all(ids.map(async (id) => [id, await lookUp(id)] as const)));
    const present = rows.filter(
      (row) => memberOf(row, known.get(row.organisationId)?.found ?? null) !== null,
    );
    return new Set(present.map(({ tokenHash }) => tokenHash));
  };
}
