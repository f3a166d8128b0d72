import { OrganisationShut } from '../../domain/organisation/organisation-shut.ts';
import type { EventStore } from '../event-store.ts';
import { VersionConflict } from '../version-conflict.ts';

/** A store that remembers whether an append through it may have taken effect. */
interface WatchedStore {
  readonly store: EventStore;
  mayHaveAppended(): boolean;
}

/**
 * After a conflict or a refusal nothing was appended. After any other error the append may have
 * taken effect.
 */
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
