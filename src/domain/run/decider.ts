import type { Decisions, OwnedDecider } from '../decider.ts';
import { Refusal } from '../refusal.ts';
import type { OrganisationId } from '../ulid.ts';
import { maxDecisions } from './decision.ts';
import type { RunEvent } from './events.ts';
import { reportsProtection } from './protection.ts';
import type { RunReport } from './report.ts';
import { evolveRun, type RunState, unknownRun } from './state.ts';

/** State of a run's stream, and the decisions on it. */
export const runDecider = {
  initial: unknownRun,
  evolve: evolveRun,
  ownerOf,
  record,
} satisfies OwnedDecider<RunState, RunEvent> & Decisions;

/**
 * Records a sweep as reported. A recorded sweep never changes: the same report appends nothing, and
 * other content under its id is refused with RUN_CONFLICT. Reports are compared by the hashes of
 * the whole reports, including the decisions that are not kept, and by `noOp`, of which the hashes
 * do not say if it was omitted.
 */
function record(
  state: RunState,
  organisationId: OrganisationId,
  report: RunReport,
  reportHash: string,
): readonly RunEvent[] {
  if (state.status === 'recorded') {
    if (state.reportHash === reportHash && state.noOp === report.noOp) return [];
    throw new Refusal(
      'RUN_CONFLICT',
      'runId: a run with this id is already recorded with other content; choose another runId',
    );
  }
  const decisions = report.decisions.slice(0, maxDecisions);
  const decisionsReported = report.decisions.length;
  const reported = { decisionsReported, reportsProtection: reportsProtection(report), reportHash };
  const data = { ...report, organisationId, decisions, ...reported };
  return [{ type: 'RunRecorded', data }];
}

function ownerOf(_: RunState, [recorded]: readonly RunEvent[]): OrganisationId {
  if (recorded === undefined) throw new Error('nothing was recorded, so that nobody owns it');
  return recorded.data.organisationId;
}
