import { sql } from 'kysely';
import type { CheckpointMemo } from '../../src/domain/log/checkpoint-memo.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { CheckpointAnchorsTables } from './table.ts';

/** A checkpoint with its place on the ledger. */
export interface CheckpointAnchor extends CheckpointMemo {
  readonly ledgerId: string;
  readonly transactionHash: string;
  readonly ledgerIndex: number;
  /** Close time of the ledger, ISO 8601. */
  readonly closedAt: string;
}

/** Anchors of these checkpoints of a log, in any order. Those that are not anchored are absent. */
export async function findCheckpointAnchors(
  db: ReadModels,
  checkpoints: readonly Pick<CheckpointMemo, 'origin' | 'size'>[],
): Promise<readonly CheckpointAnchor[]> {
  const origins = checkpoints.map(({ origin }) => origin);
  const sizes = checkpoints.map(({ size }) => size);
  const rows = await anchors(db)
    .where(
      sql<boolean>`(origin, size) IN (SELECT * FROM unnest(${origins}::text[], ${sizes}::bigint[]))`,
    )
    .execute();
  return rows.map(read);
}

/**
 * One page of the anchored checkpoints of all epochs that are published too, the newest first, and
 * their number. Earlier releases also anchored checkpoints that were never published.
 */
export async function listCheckpointAnchors(
  db: ReadModels,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly total: number; readonly anchored: readonly CheckpointAnchor[] }> {
  const { total } = await db
    .$extendTables<CheckpointAnchorsTables>()
    .selectFrom('checkpoint_anchors')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(isPublished)
    .executeTakeFirstOrThrow();
  const before = (page - 1) * limit;
  if (before >= total) return { total, anchored: [] };
  const rows = await anchors(db)
    .where(isPublished)
    .orderBy('position', 'desc')
    .limit(limit)
    .offset(before)
    .execute();
  return { total, anchored: rows.map(read) };
}

const isPublished = sql<boolean>`EXISTS (SELECT FROM published_checkpoints p
  WHERE p.origin = checkpoint_anchors.origin AND p.size = checkpoint_anchors.size)`;

function anchors(db: ReadModels) {
  return db.$extendTables<CheckpointAnchorsTables>().selectFrom('checkpoint_anchors').selectAll();
}

function read(row: CheckpointAnchorsTables['checkpoint_anchors']): CheckpointAnchor {
  return {
    origin: row.origin,
    size: row.size,
    rootHash: row.root_hash.toString('hex'),
    ledgerId: row.ledger_id,
    transactionHash: row.transaction_hash.toString('hex').toUpperCase(),
    ledgerIndex: row.ledger_index,
    closedAt: row.closed_at,
  };
}
