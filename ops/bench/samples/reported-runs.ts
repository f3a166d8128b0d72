import type { RunMode } from '../../../src/domain/run/report.ts';
import { syntheticDigest } from './synthetic-digest.ts';

/** Members of a decision that queries use. */
export interface ReportedDecision {
  readonly subject: string;
  readonly action: string;
  readonly reason: string;
  readonly fileHash: string;
  readonly confidence: number;
  readonly proofId?: string;
}

export interface ReportedRun {
  readonly runId: string;
  readonly workspace: string;
  readonly mode: RunMode;
  readonly objective: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly decisions: readonly ReportedDecision[];
}

/** Hash of the file of every second decision. */
export const commonHash = syntheticDigest('everywhere');
export const firstFinishedAt = Date.parse('2026-01-01T00:00:00Z');
export const msBetweenRuns = 60_000;

/**
 * Returns the run of a number, always the same: with common and rare actions, distinct files beside
 * the common one, and a proof for each protected file.
 */
export function reportedRun(
  number: number,
  decisions: number,
  workspaces: readonly string[],
): ReportedRun {
  const finishedAt = firstFinishedAt + number * msBetweenRuns;
  return {
    runId: `sweep/2026 ${number}`,
    workspace: workspaces[number % workspaces.length] ?? '',
    mode: number % 10 === 0 ? 'interactive' : 'unattended',
    objective: `contracts of department ${number % 20}`,
    startedAt: new Date(finishedAt - 30_000).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    counts: { protected: number % 3, seen: decisions },
    decisions: Array.from({ length: decisions }, (_, index) => decision(number, index, decisions)),
  };
}

function decision(run: number, index: number, decisions: number): ReportedDecision {
  const nth = run * decisions + index;
  const action = nth % 1_000 === 999 ? 'escalate' : nth % 10 < 6 ? 'protect' : 'skip';
  return {
    subject: `/archive/department ${run % 20}/contract ${nth}.pdf`,
    action,
    reason: `clause ${nth % 97} asks for it; the file was last changed before the sweep began`,
    fileHash: index % 2 === 0 ? commonHash : syntheticDigest(`${nth}`),
    confidence: (nth % 100) / 100,
    ...(action === 'protect' && { proofId: proofIdOf(nth % 5_000) }),
  };
}

export function proofIdOf(number: number): string {
  return `01M${String(number).padStart(23, '0')}`;
}
