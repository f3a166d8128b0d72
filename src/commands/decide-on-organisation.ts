import type { OrganisationDecision } from '../domain/organisation/decide.ts';
import { organisationDecider } from '../domain/organisation/decider.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { type Loaded, load } from './load.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Loads an organisation, decides, and appends what was decided; starts over while others change
 * it. Refuses with ORGANISATION_NOT_FOUND.
 */
export async function decideOnOrganisation(
  store: EventStore,
  organisationId: OrganisationId,
  decide: (organisation: Organisation) => OrganisationDecision,
  meta: EventMeta,
): Promise<void> {
  await retryOnConflict(async () => {
    const { state, version } = await loadOrganisation(store, organisationId);
    const events = decide(state);
    if (events.length === 0) return;
    const stream = streams.organisation(organisationId);
    await store.append([{ organisationId, stream, expectedVersion: version, events }], meta);
  });
}

/** The organisation as it is now; refuses with ORGANISATION_NOT_FOUND, also for one that was erased. */
export async function loadOrganisation(
  store: Pick<EventStore, 'readStream'>,
  organisationId: OrganisationId,
): Promise<Loaded<Organisation>> {
  const stream = streams.organisation(organisationId);
  const { state, version } = await load(store, stream, organisationDecider);
  if (state.status === 'open') return { state, version };
  if (state.status === 'erased') {
    throw new Refusal('ORGANISATION_NOT_FOUND', `organisation ${organisationId} was erased`);
  }
  throw new Refusal('ORGANISATION_NOT_FOUND', `there is no organisation ${organisationId}`);
}
