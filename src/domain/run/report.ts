import type { WorkspaceId } from '../ulid.ts';
import type { Decision } from './decision.ts';
import type { RunId } from './run-id.ts';

export const runModes = ['interactive', 'unattended'] as const;
export type RunMode = (typeof runModes)[number];

/**
 * What an agent says of one of its sweeps. Texts and times are as it wrote them; what it left out is
 * null, `{}`, `[]` or, for `noOp`, whether nothing was protected.
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
  /** All that were sent. */
  readonly decisions: readonly Decision[];
}

/** Non-negative whole numbers by names of the agent's own. */
export type Counts = Readonly<Record<string, number>>;

/** How many files the sweep protected, as it says. */
export function protectedCount(counts: Counts): number {
  return Object.hasOwn(counts, 'protected') ? (counts.protected ?? 0) : 0;
}
