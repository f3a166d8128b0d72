import type {
  CheckpointHistory,
  PublishedCheckpoint,
} from '../../src/transparency-log/published/published-checkpoints.ts';

/** Published checkpoints after this number, in order; at most `limit`. */
export async function listPublished(
  db: CheckpointHistory,
  after: number,
  limit: number,
): Promise<readonly PublishedCheckpoint[]> {
  const rows = await db
    .selectFrom('published_checkpoints')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, vkeys: row.vkeys.split(' ') }));
}
