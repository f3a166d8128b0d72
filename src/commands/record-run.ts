import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Network } from '../domain/network.ts';
import type { HashScheme } from '../domain/proof/hash-scheme.ts';
import { Refusal } from '../domain/refusal.ts';
import { runDecider } from '../domain/run/decider.ts';
import { meansSameNoOp, noOpOfCounts } from '../domain/run/protection.ts';
import type { RunReport } from '../domain/run/report.ts';
import type { RecordedRun, RunState } from '../domain/run/state.ts';
import type { OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import { load } from '../event-store/handling/load.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { hashStream } from '../loading/hash-stream.ts';
import { requireWorkspace } from '../loading/require-workspace.ts';
import { runStream } from '../loading/run-stream.ts';
import { stateRun } from '../run-statement/state-run.ts';
import { decideRequest, type ProofOrder, type RequestProofDeps } from './request-proof.ts';

/** The run on record; `created` is true if this call recorded it. */
interface RecordedNow {
  readonly run: RecordedRun;
  readonly created: boolean;
  /** Proof of the run's statement; null if the call ordered none. */
  readonly proofId: ProofId | null;
}

/** Dependencies and choices of anchoring a run's statement. */
export interface RunAnchoring extends Pick<RequestProofDeps, 'newId' | 'randomBytes'> {
  readonly network: Network;
  readonly hashScheme: HashScheme;
}

interface RecordRunDeps {
  readonly store: EventStore;
  /** True if a document names the run; by default none does. */
  readonly hasDocuments?: () => Promise<boolean>;
}

/**
 * Maximum size of a report in RFC 8785 form. A body of 8 MB is rarely larger in that form, but
 * numbers such as `1e-6` are longer when written out.
 */
const maxReportBytes = 9_437_184;

/**
 * Records a sweep of an agent, or finds the same one on record. Of any number of concurrent reports
 * of one run, one is recorded. With `anchoring`, also requests the proof of the run's statement, or
 * finds it; run and request are appended in one transaction. Refuses with INVALID_WORKSPACE (also
 * if a run to be anchored names none), PAYLOAD_TOO_LARGE and, if other content is on record,
 * RUN_CONFLICT.
 */
export async function recordRun(
  { store, hasDocuments = async () => false }: RecordRunDeps,
  organisationId: OrganisationId,
  report: RunReport,
  meta: EventMeta,
  anchoring: RunAnchoring | null = null,
): Promise<RecordedNow> {
  const { runId, workspaceId } = report;
  if (workspaceId !== null) await requireWorkspace(store, { organisationId, workspaceId });
  const newHash = reportHashOf(report);
  const stream = await runStream(store, organisationId, runId);
  const decide = async () => {
    const { state, version: expectedVersion } = await load(store, stream, runDecider);
    const reported = await withRecordedNoOp(report, state, hasDocuments);
    const reportHash = reported === report ? newHash : reportHashOf(reported);
    const events = runDecider.record(state, organisationId, reported, reportHash);
    const [recorded] = events;
    const created = recorded !== undefined;
    const run = recorded?.data ?? recordedRun(state);
    const entries = created ? [{ organisationId, stream, expectedVersion, events }] : [];
    if (anchoring === null) return { entries, run, created, proofId: null };
    const order = orderOf(run, anchoring);
    const hashName = await hashStream(store, order);
    const deps = { store, ...anchoring };
    const request = await decideRequest(deps, order, hashName);
    const { proofId } = request;
    return { entries: [...entries, ...request.entries], run, created, proofId };
  };
  const { run, created, proofId } = await handleStreams(store, decide, meta);
  return { run, created, proofId };
}

/** Order of the proof of a run's statement. It is queued, so no caller has to wait for a ledger. */
function orderOf(run: RecordedRun, { network, hashScheme }: RunAnchoring): ProofOrder {
  const { organisationId, workspaceId } = run;
  if (workspaceId === null) {
    throw new Refusal('INVALID_WORKSPACE', 'workspace: is needed to anchor a run');
  }
  const { bytes, digest } = stateRun(run);
  return {
    ...{ organisationId, workspaceId, network, hashScheme, fileHash: digest },
    fileName: `${run.runId}.json`,
    fileSizeBytes: bytes.length,
    mimeType: 'application/json',
    description: 'Statement of an agent run',
    respondAsync: true,
  };
}

/** The report with `noOp` as on record if both mean the same. */
async function withRecordedNoOp(
  report: RunReport,
  state: RunState,
  hasDocuments: () => Promise<boolean>,
): Promise<RunReport> {
  if (state.status !== 'recorded' || state.noOp === report.noOp) return report;
  const isProtective = state.reportsProtection || (await hasDocuments());
  return meansSameNoOp(report, state, isProtective) ? { ...report, noOp: state.noOp } : report;
}

function recordedRun(state: RunState): RecordedRun {
  if (state.status === 'recorded') return state;
  throw new Error('nothing was decided on a run that is not on record');
}

/**
 * SHA-256 (hex) of the report in RFC 8785 form. It depends on the values only: not on their
 * notation, on the order of members, or on whether a default was omitted or sent. An omitted `noOp`
 * counts as the default of 0.1.0, so that the runs of that release can be posted again.
 */
function reportHashOf(report: RunReport): string {
  const text = canonicalize({ ...report, noOp: report.noOp ?? noOpOfCounts(report.counts) });
  if (text === undefined) throw new Error('the report has no JSON form');
  if (Buffer.byteLength(text) > maxReportBytes) {
    throw new Refusal('PAYLOAD_TOO_LARGE', `the run is larger than ${maxReportBytes} bytes`);
  }
  return createHash('sha256').update(text).digest('hex');
}
