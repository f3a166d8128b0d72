import type { WorkspaceId } from '../ulid.ts';
import type { Decision } from './decision.ts';
import type { RunId } from './run-id.ts';

export const runModes = ['interactive', 'unattended'] as const;
export type RunMode = (typeof runModes)[number];

/**
 * An agent's report of one of its sweeps. Texts and times are as the agent wrote them. An omitted
 * member is null, `{}` or `[]`; an omitted `noOp` says whether nothing was protected.
 */
export interface RunReport {
  readonly runId: RunId;
  readonly workspaceId: WorkspaceId | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly mode: RunMode | null;
  readonly objective: string | null;
  readonly trigger: string | null;
  readonly counts: Counts;
  readonly coverage: Readonly<Record<string, unknown>>;
  readonly connectorsReached: readonly string[];
  readonly connectorsUnreachable: readonly string[];
  readonly unreadableGroups: readonly string[];
  readonly network: string | null;
  readonly noOp: boolean;
  /** All decisions sent. */
  readonly decisions: readonly Decision[];
}

/** Non-negative whole numbers by names that the agent chose. */
export type Counts = Readonly<Record<string, number>>;

/** Number of files that the sweep protected, as reported. */
export function protectedCount(counts: Counts): number {
  return Object.hasOwn(counts, 'protected') ? (counts.protected ?? 0) : 0;
}
