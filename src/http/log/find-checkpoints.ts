import {
  type CheckpointAnchor,
  findCheckpointAnchors,
  listCheckpointAnchors,
} from '../../../projections/checkpoint-anchors/query.ts';
import { findTimestampsOf } from '../../../projections/timestamps/query.ts';
import type { CheckpointTimestamped } from '../../domain/log/timestamp-events.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { ReadModels } from '../../subscriptions/projection.ts';
import type { CheckpointChoice } from '../../transparency-log/inclusion/checkpoint-choice.ts';
import {
  type CosignedCheckpoint,
  findCosigned,
  recentCosigned,
} from '../../transparency-log/published/cosigned-checkpoints.ts';

export interface FindingDeps {
  readonly db: ReadModels;
  readonly store: Pick<EventStore, 'readStreams'>;
  readonly checkpoints: Pick<CheckpointChoice, 'newest'>;
}

/** A published checkpoint with all evidence on record. */
export interface FoundCheckpoint {
  readonly published: CosignedCheckpoint;
  readonly anchor: CheckpointAnchor | null;
  readonly timestamp: CheckpointTimestamped['data'] | null;
}

interface FoundPage {
  /** Number of checkpoints on all pages. */
  readonly total: number;
  readonly checkpoints: readonly FoundCheckpoint[];
}

interface Page {
  readonly page: number;
  readonly limit: number;
}

/** One page of all checkpoints, up to the one that `GET /log/checkpoint` shows. */
export async function newestCheckpoints(
  deps: FindingDeps,
  { page, limit }: Page,
): Promise<FoundPage> {
  // Numbers have no gaps, so pages need no count.
  const total = (await deps.checkpoints.newest())?.number ?? 0;
  const upTo = total - (page - 1) * limit;
  if (upTo < 1) return { total, checkpoints: [] };
  const published = await recentCosigned(deps.db, limit, upTo);
  const anchors = await findCheckpointAnchors(deps.db, published);
  return { total, checkpoints: await withEvidence(deps, published, anchors) };
}

/** One page of the checkpoints that are anchored on the ledger. */
export async function anchoredCheckpoints(deps: FindingDeps, page: Page): Promise<FoundPage> {
  const { total, anchored } = await listCheckpointAnchors(deps.db, page);
  const published = await findCosigned(deps.db, anchored);
  return { total, checkpoints: await withEvidence(deps, published, anchored) };
}

async function withEvidence(
  { db, store }: FindingDeps,
  published: readonly CosignedCheckpoint[],
  anchors: readonly CheckpointAnchor[],
): Promise<readonly FoundCheckpoint[]> {
  const streams = await store.readStreams(await findTimestampsOf(db, published));
  const tokens = [...streams.values()].flat().map(({ data }) => data);
  return published.map((one) => {
    const isIt = (other: { readonly origin: string; readonly size: number }) =>
      other.origin === one.origin && other.size === one.size;
    return {
      published: one,
      anchor: anchors.find(isIt) ?? null,
      timestamp: tokens.find(isIt) ?? null,
    };
  });
}
