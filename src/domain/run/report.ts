import type { WorkspaceId } from '../ulid.ts';
import type { Decision } from './decision.ts';
import type { RunId } from './run-id.ts';

export const runModes = ['interactive', 'unattended'] as const;
export type RunMode = (typeof runModes)[number];

/**
 * An agent's report of one of its sweeps, as the agent wrote it. An omitted member is null, `{}` or
 * `[]`. Members of the type unknown are any JSON.
 */
export interface RunReport {
  readonly runId: RunId;
  readonly workspaceId: WorkspaceId | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly mode: RunMode | null;
  readonly objective: string | null;
  readonly trigger: unknown;
  readonly counts: unknown;
  readonly coverage: unknown;
  readonly connectorsReached: unknown;
  readonly connectorsUnreachable: unknown;
  readonly unreadableGroups: unknown;
  readonly network: unknown;
  readonly noOp: boolean | null;
  /** All decisions sent. */
  readonly decisions: readonly Decision[];
}
