import type { Decision } from '../../src/domain/run/decision.ts';
import type { RunRecorded } from '../../src/domain/run/events.ts';
import type { RunId } from '../../src/domain/run/run-id.ts';

/** A run as lists show it. */
export type RunRecord = Omit<RunRecorded['data'], 'organisationId' | 'decisions' | 'reportHash'>;

/** A decision with its run. */
export interface DecisionRecord {
  readonly runId: RunId;
  readonly decision: Decision;
}
