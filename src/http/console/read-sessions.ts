import { findPeople, type MemberDeps, memberOf } from './member-of.ts';
import { findSessions, type SessionDeps } from './sessions.ts';

/** Reads which of these sessions, by the hashes of their tokens, still sign somebody in. */
export type ReadSessions = (tokenHashes: readonly string[]) => Promise<ReadonlySet<string>>;

/** Asks by the rule of pages (`memberOf`), so that a session ends here whatever ended it there. */
export function createReadSessions(deps: SessionDeps & MemberDeps): ReadSessions {
  return async (tokenHashes) => {
    const sessions = await findSessions(deps, tokenHashes);
    const ids = [...new Set([...sessions.values()].map(({ organisationId }) => organisationId))];
    const found = new Map(
      await Promise.all(ids.map(async (id) => [id, await findPeople(deps, id)] as const)),
    );
    const present = [...sessions].filter(
      ([, session]) => memberOf(session, found.get(session.organisationId) ?? null) !== null,
    );
    return new Set(present.map(([tokenHash]) => tokenHash));
  };
}
