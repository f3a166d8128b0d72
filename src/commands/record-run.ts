import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import { Refusal } from '../domain/refusal.ts';
import { recordRun as decideRecord } from '../domain/run/decide.ts';
import { runDecider } from '../domain/run/decider.ts';
import type { RunEvent } from '../domain/run/events.ts';
import type { RunReport } from '../domain/run/report.ts';
import type { RunId } from '../domain/run/run-id.ts';
import type { RecordedRun, RunState } from '../domain/run/state.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { load } from './load.ts';
import { requireWorkspace } from './require-workspace.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** The run as it is on record now, and whether this call recorded it. */
export interface RecordedNow {
  readonly run: RecordedRun;
  readonly created: boolean;
}

/**
 * Of a report in RFC 8785 form. A body of 8 MB is hardly ever larger, but numbers such as `1e-6` are
 * longer when they are written out.
 */
const maxReportBytes = 9_437_184;

/**
 * Records a sweep of an agent, or finds that the very same is on record: of any number of concurrent
 * reports of one run one is recorded. Refuses with INVALID_WORKSPACE, PAYLOAD_TOO_LARGE and, where
 * other content is on record, RUN_CONFLICT.
 */
export async function recordRun(
  { store }: { readonly store: EventStore },
  organisationId: OrganisationId,
  report: RunReport,
  meta: EventMeta,
): Promise<RecordedNow> {
  const { runId, workspaceId } = report;
  if (workspaceId !== null) await requireWorkspace(store, { organisationId, workspaceId });
  const reportHash = reportHashOf(report);
  const stream = await runStream(store, organisationId, runId);
  return retryOnConflict(async () => {
    const found = await load(store, stream, runDecider);
    const events = decideRecord(found.state, organisationId, report, reportHash);
    const [recorded] = events;
    if (recorded === undefined) return { run: recordedRun(found.state), created: false };
    await store.append([{ organisationId, stream, expectedVersion: found.version, events }], meta);
    return { run: recorded.data, created: true };
  });
}

/** The run as it is on record; null if there is none of this id in the organisation. */
export async function findRun(
  store: Pick<EventStore, 'index' | 'readStream'>,
  organisationId: OrganisationId,
  runId: RunId,
): Promise<RecordedRun | null> {
  const stream = await runStream(store, organisationId, runId);
  const { state } = await load(store, stream, runDecider);
  return state.status === 'recorded' ? state : null;
}

/** Size of a run in the log, in bytes; 0 if there is none of this id in the organisation. */
export async function bytesOfRun(
  store: Pick<EventStore, 'index' | 'bytesOfLast'>,
  organisationId: OrganisationId,
  runId: RunId,
): Promise<number> {
  return store.bytesOfLast(await runStream(store, organisationId, runId));
}

function recordedRun(state: RunState): RecordedRun {
  if (state.status === 'recorded') return state;
  throw new Error('nothing was decided on a run that is not on record');
}

/**
 * SHA-256 (hex) of the report in RFC 8785 form: the same for the same values, however they were
 * written, in whatever order their members came, and for a default that was left out or sent.
 */
function reportHashOf(report: RunReport): string {
  const text = canonicalize(report);
  if (text === undefined) throw new Error('the report has no JSON form');
  if (Buffer.byteLength(text) > maxReportBytes) {
    throw new Refusal('PAYLOAD_TOO_LARGE', `the run is larger than ${maxReportBytes} bytes`);
  }
  return createHash('sha256').update(text).digest('hex');
}

async function runStream(
  store: Pick<EventStore, 'index'>,
  organisationId: OrganisationId,
  runId: RunId,
): Promise<StreamName<RunEvent>> {
  const indexed = await store.index(organisationId, runId);
  if (indexed === null) throw new OrganisationShut(organisationId);
  return streams.run(organisationId, indexed);
}
