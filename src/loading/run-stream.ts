import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { RunEvent } from '../domain/run/events.ts';
import type { RunId } from '../domain/run/run-id.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** Name of the stream of a run. Refuses with `OrganisationShut`. */
export async function runStream(
  store: Pick<EventStore, 'index'>,
  organisationId: OrganisationId,
  runId: RunId,
): Promise<StreamName<RunEvent>> {
  const indexed = await store.index(organisationId, runId);
  if (indexed === null) throw new OrganisationShut(organisationId);
  return streams.run(organisationId, indexed);
}
