import { sql } from 'kysely';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { RunRecord } from './record.ts';

/** The run whose event is at this position, as lists show it; null if there is none. */
export async function findRunAt(db: ReadModels, position: number): Promise<RunRecord | null> {
  const { rows } = await sql<{ record: string }>`
    SELECT record FROM agent_run_details WHERE run = ${position}`.execute(db);
  return rows[0] === undefined ? null : (JSON.parse(rows[0].record) as RunRecord);
}
