import { Refusal } from '../refusal.ts';
import type { OrganisationId } from '../ulid.ts';
import { maxDecisions } from './decision.ts';
import type { RunEvent } from './events.ts';
import type { RunReport } from './report.ts';
import type { RunState } from './state.ts';

/**
 * Records a sweep as it was reported. One that is on record stays as it is: nothing is appended if
 * the same was reported, and other content under its id is refused with RUN_CONFLICT. Whether it is
 * the same, the hashes of the whole reports say, with the decisions that are not kept.
 */
export function recordRun(
  state: RunState,
  organisationId: OrganisationId,
  report: RunReport,
  reportHash: string,
): readonly RunEvent[] {
  if (state.status === 'recorded') {
    if (state.reportHash === reportHash) return [];
    throw new Refusal('RUN_CONFLICT', 'runId: a run with this id is on record with other content');
  }
  const decisions = report.decisions.slice(0, maxDecisions);
  const decisionsReported = report.decisions.length;
  const data = { ...report, organisationId, decisions, decisionsReported, reportHash };
  return [{ type: 'RunRecorded', data }];
}
