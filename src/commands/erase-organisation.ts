import { eraseOrganisation as decide } from '../domain/organisation/decide.ts';
import { organisationDecider } from '../domain/organisation/decider.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { OrganisationEnding } from '../event-store/organisation-ending.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { load } from './load.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Ends an organisation: its last event is appended and its keys are destroyed, at once. That is noted
 * outside the database before, so that a restored backup is told. May be repeated, and is repeated at
 * every start for all that were noted; of a log that does not know the organisation, or holds its end,
 * only keys that a backup brought back are destroyed.
 */
export async function eraseOrganisation(
  { store, ending }: { readonly store: EventStore; readonly ending: OrganisationEnding },
  organisationId: OrganisationId,
  meta: EventMeta,
): Promise<void> {
  const stream = streams.organisation(organisationId);
  await retryOnConflict(async () => {
    const { state, version } = await load(store, stream, organisationDecider);
    if (state.status !== 'open') return ending.destroyKeys(organisationId);
    const [event] = decide(state);
    if (event === undefined) throw new Error(`nothing was decided on ${organisationId}`);
    await ending.end({ organisationId, stream, expectedVersion: version, event }, meta);
  });
}
