import type { RecordedRun } from './state.ts';

/**
 * Content of the anchored statement of a run. Its RFC 8785 form must never change for a recorded
 * run: proofs are of its SHA-256. Another content needs another `version`.
 */
export interface RunStatement {
  readonly format: 'proofmark/agent-run';
  readonly version: 1;
  readonly runId: string;
  readonly workspace: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly mode: string | null;
  readonly objective: string | null;
  readonly trigger: unknown;
  readonly counts: unknown;
  readonly coverage: unknown;
  readonly connectorsReached: unknown;
  readonly connectorsUnreachable: unknown;
  readonly unreadableGroups: unknown;
  readonly network: unknown;
  /** As reported; null if the agent left it out. */
  readonly noOp: boolean | null;
  readonly decisionsReported: number;
  /** Number of leaves of the tree. */
  readonly decisionsStored: number;
  /** RFC 6962 root over the stored decisions, in their order: 64 lower-case hex characters. */
  readonly decisionsRootHash: string;
}

/**
 * The statement of a recorded run. It names the decisions by their root only, so that it can be
 * shown without them.
 */
export function runStatement(run: RecordedRun, decisionsRootHash: string): RunStatement {
  return {
    format: 'proofmark/agent-run',
    version: 1,
    runId: run.runId,
    workspace: run.workspaceId,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    mode: run.mode,
    objective: run.objective,
    trigger: run.trigger,
    counts: run.counts,
    coverage: run.coverage,
    connectorsReached: run.connectorsReached,
    connectorsUnreachable: run.connectorsUnreachable,
    unreadableGroups: run.unreadableGroups,
    network: run.network,
    noOp: run.noOp,
    decisionsReported: run.decisionsReported,
    decisionsStored: run.decisions.length,
    decisionsRootHash,
  };
}
