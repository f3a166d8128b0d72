import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { VersionConflict } from '../event-store/version-conflict.ts';

/** A store that remembers whether an append through it may have taken effect. */
export interface WatchedStore {
  readonly store: EventStore;
  mayHaveAppended(): boolean;
}

/** A conflict, or a refusal, is certain to have appended nothing; any other error leaves it open. */
export function watchAppends(store: EventStore): WatchedStore {
  let mayHaveAppended = false;
  return {
    store: {
      ...store,
      async append(entries, meta) {
        const before = mayHaveAppended;
        mayHaveAppended = true;
        try {
          return await store.append(entries, meta);
        } catch (error) {
          if (error instanceof VersionConflict || error instanceof OrganisationShut)
            mayHaveAppended = before;
          throw error;
        }
      },
    },
    mayHaveAppended: () => mayHaveAppended,
  };
}
