import type { Decision } from '../../src/domain/run/decision.ts';
import type { RunRecorded } from '../../src/domain/run/events.ts';
import { reportsProtection } from '../../src/domain/run/protection.ts';
import type { RunReport } from '../../src/domain/run/report.ts';
import type { RunId } from '../../src/domain/run/run-id.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';

/** A minimal report of a run: its id and the test's changes. */
export function report(runId: string, of: Partial<RunReport> = {}): RunReport {
  return {
    runId: runId as RunId,
    workspaceId: null,
    ...{ startedAt: null, finishedAt: null, mode: null, objective: null, trigger: null },
    ...{ counts: {}, coverage: {}, connectorsReached: [], connectorsUnreachable: [] },
    ...{ unreadableGroups: [], network: null, noOp: null, decisions: [] },
    ...of,
  };
}

export function runRecorded(
  organisationId: OrganisationId,
  runId: string,
  of: Partial<RunReport> = {},
): RunRecorded {
  const reported = report(runId, of);
  const decisionsReported = reported.decisions.length;
  const facts = { decisionsReported, reportsProtection: reportsProtection(reported) };
  const data = { ...reported, organisationId, ...facts, reportHash: 'hash' };
  return { type: 'RunRecorded', data };
}

/** Decisions of at most this many bytes in all, and hardly fewer. */
export function decisionsOf(bytes: number, count = 100): readonly Decision[] {
  const reason = 'x'.repeat(Math.floor(bytes / count) - 60);
  return Array.from({ length: count }, (_, n) => ({
    subject: `file ${n}`,
    action: 'skip',
    reason,
  }));
}
