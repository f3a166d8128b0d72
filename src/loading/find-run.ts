import { Refusal } from '../domain/refusal.ts';
import { runDecider } from '../domain/run/decider.ts';
import type { RunId } from '../domain/run/run-id.ts';
import type { RecordedRun } from '../domain/run/state.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load } from '../event-store/handling/load.ts';
import { runStream } from './run-stream.ts';

/** The run on record; null if the organisation has none with this id. */
export async function findRun(
  store: Pick<EventStore, 'index' | 'readStream'>,
  organisationId: OrganisationId,
  runId: RunId,
): Promise<RecordedRun | null> {
  const stream = await runStream(store, organisationId, runId);
  const { state } = await load(store, stream, runDecider);
  return state.status === 'recorded' ? state : null;
}

/** The run on record. Refuses with RUN_NOT_FOUND if the organisation has none with this id. */
export async function loadRun(
  store: Pick<EventStore, 'index' | 'readStream'>,
  organisationId: OrganisationId,
  runId: RunId,
): Promise<RecordedRun> {
  const run = await findRun(store, organisationId, runId);
  if (run !== null) return run;
  throw new Refusal('RUN_NOT_FOUND', 'there is no such run in this organisation');
}

/** Size of a run in the log, in bytes; 0 if the organisation has none with this id. */
export async function bytesOfRun(
  store: Pick<EventStore, 'index' | 'bytesOfLast'>,
  organisationId: OrganisationId,
  runId: RunId,
): Promise<number> {
  return store.bytesOfLast(await runStream(store, organisationId, runId));
}
