import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Refusal } from '../domain/refusal.ts';
import { runDecider } from '../domain/run/decider.ts';
import { noOpOfCounts } from '../domain/run/protection.ts';
import type { RunReport } from '../domain/run/report.ts';
import type { RecordedRun, RunState } from '../domain/run/state.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { requireWorkspace } from '../loading/require-workspace.ts';
import { runStream } from '../loading/run-stream.ts';

/** The run on record, and whether this call recorded it. */
interface RecordedNow {
  readonly run: RecordedRun;
  readonly created: boolean;
}

/**
 * Maximum size of a report in RFC 8785 form. A body of 8 MB is rarely larger in that form, but
 * numbers such as `1e-6` are longer when written out.
 */
const maxReportBytes = 9_437_184;

/**
 * Records a sweep of an agent, or finds the same one on record. Of any number of concurrent reports
 * of one run, one is recorded. Refuses with INVALID_WORKSPACE, PAYLOAD_TOO_LARGE and, if other
 * content is on record, RUN_CONFLICT.
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
  const command = (state: RunState) => runDecider.record(state, organisationId, report, reportHash);
  const { state, appended } = await handle(store, stream, runDecider, command, meta);
  const [recorded] = appended;
  if (recorded === undefined) return { run: recordedRun(state), created: false };
  return { run: recorded.data, created: true };
}

function recordedRun(state: RunState): RecordedRun {
  if (state.status === 'recorded') return state;
  throw new Error('nothing was decided on a run that is not on record');
}

/**
 * SHA-256 (hex) of the report in RFC 8785 form. It depends on the values only: not on their
 * notation, on the order of members, or on whether a default was omitted or sent. The default of
 * `noOp` is the one of earlier releases, so that their runs can be posted again.
 */
function reportHashOf(report: RunReport): string {
  const text = canonicalize({ ...report, noOp: report.noOp ?? noOpOfCounts(report.counts) });
  if (text === undefined) throw new Error('the report has no JSON form');
  if (Buffer.byteLength(text) > maxReportBytes) {
    throw new Refusal('PAYLOAD_TOO_LARGE', `the run is larger than ${maxReportBytes} bytes`);
  }
  return createHash('sha256').update(text).digest('hex');
}
