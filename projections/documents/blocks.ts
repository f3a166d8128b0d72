import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import type { KnownProof, ProofChange } from './fold.ts';
import { type ColumnTypes, rowSet } from './row-set.ts';
import { blockSize, type DocumentsTables } from './table.ts';

type BlockRow = DocumentsTables['document_blocks'];

const types: ColumnTypes<BlockRow> = {
  organisation_id: 'text',
  workspace_id: 'text',
  block: 'bigint',
  pending: 'bigint',
  processing: 'bigint',
  completed: 'bigint',
};

/** Workspace of the blocks that count the whole organisation. */
export const allWorkspaces = '';

function blockOf(ordinal: number): number {
  return Math.floor(ordinal / blockSize);
}

/** Updates the counts of each block by status. */
export async function countBlocks(
  trx: Transaction<StoreTables>,
  changes: readonly ProofChange[],
  named: Named,
): Promise<void> {
  const rows = new Map<string, BlockRow>();
  for (const { before, after } of changes) {
    if (before) add(rows, before, -1);
    if (after) add(rows, after, 1);
  }
  const moved = [...rows.values()].filter(
    ({ pending, processing, completed }) => pending !== 0 || processing !== 0 || completed !== 0,
  );
  if (moved.length === 0) return;
  const table = sql.table(named('document_blocks'));
  const blocks = rowSet(moved, types);
  await sql`
    INSERT INTO ${table} AS old (${blocks.columns})
    SELECT ${blocks.values} FROM ${blocks.from}
    ON CONFLICT (organisation_id, workspace_id, block) DO UPDATE SET
      pending = old.pending + excluded.pending,
      processing = old.processing + excluded.processing,
      completed = old.completed + excluded.completed`.execute(trx);
  const left = changes.flatMap(({ before, after }) => (before && !after ? [before] : []));
  if (left.length === 0) return;
  // The rows must not depend on how the log is cut into calls, so delete rows that count nothing.
  await sql`
    DELETE FROM ${table}
    WHERE organisation_id = ANY(${left.map(({ organisationId }) => organisationId)}::text[])
      AND pending = 0 AND processing = 0 AND completed = 0`.execute(trx);
}

function add(rows: Map<string, BlockRow>, proof: KnownProof, delta: 1 | -1): void {
  const { organisationId, workspaceId, ordinal, status } = proof;
  const block = blockOf(ordinal);
  for (const workspace of [allWorkspaces, workspaceId]) {
    const key = `${organisationId} ${workspace} ${block}`;
    let row = rows.get(key);
    if (row === undefined) {
      const ids = { organisation_id: organisationId, workspace_id: workspace, block };
      row = { ...ids, pending: 0, processing: 0, completed: 0 };
      rows.set(key, row);
    }
    row[status] += delta;
  }
}
