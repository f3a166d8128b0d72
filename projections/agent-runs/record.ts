import type { Decision } from '../../src/domain/run/decision.ts';
import type { RunRecorded } from '../../src/domain/run/events.ts';
import type { RunId } from '../../src/domain/run/run-id.ts';

/** The stored part of a listed run. */
export type RunReported = Omit<
  RunRecorded['data'],
  'organisationId' | 'decisions' | 'reportsProtection' | 'reportHash' | 'mayHaveSentNoOp'
>;

/** A run as lists show it. */
export interface RunRecord extends RunReported {
  /** True if the report says so, or if a document names the run. */
  readonly isProtective: boolean;
}

/** A decision with its run. */
export interface DecisionRecord {
  readonly runId: RunId;
  readonly decision: Decision;
}
