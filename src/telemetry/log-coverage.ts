import type pg from 'pg';

/** The part of the log that a checkpoint covers. */
export interface LogCoverage {
  /** Number of covered events, from the first on. */
  readonly size: number;
  /** Age of the first event that is not covered; 0 if there is none. */
  readonly lagSeconds: number;
}

interface Row {
  readonly size: string | number;
  readonly next_at: string | null;
}

/** Coverage by the newest published checkpoint; null if none was ever published. */
export async function readPublishedCoverage(client: pg.ClientBase): Promise<LogCoverage | null> {
  const { rows } = await client.query<Row>(
    `SELECT p.size, e.recorded_at AS next_at
     FROM (SELECT size FROM published_checkpoints ORDER BY number DESC LIMIT 1) p
     LEFT JOIN events e ON e.position = p.size + 1`,
  );
  return coverageOf(rows[0]);
}

/**
 * Coverage by the newest checkpoint on the ledger; of no event if one was requested and none is there yet.
 * Events of the anchoring and timestamping of checkpoints, and attestations of ledgers, do not count as
 * uncovered, since no checkpoint is anchored for them alone. Null if no checkpoint was ever requested.
 */
export async function readAnchoredCoverage(client: pg.ClientBase): Promise<LogCoverage | null> {
  const { rows } = await client.query<Row>(
    `WITH log AS (SELECT stream FROM events WHERE position = 1),
     anchored AS (
       SELECT (e.data::jsonb ->> 'size')::bigint AS size
       FROM log JOIN events e USING (stream)
       WHERE e.type = 'CheckpointAnchored' ORDER BY e.version DESC LIMIT 1),
     covered AS (
       SELECT size FROM anchored
       UNION ALL
       SELECT 0 FROM log WHERE NOT EXISTS (SELECT FROM anchored) AND EXISTS (
         SELECT FROM events e WHERE e.stream = log.stream AND e.type = 'CheckpointRequested'))
     SELECT a.size, (
       SELECT e.recorded_at FROM events e, log
       WHERE e.position > a.size AND e.stream <> log.stream AND e.stream NOT LIKE 'account-%'
         AND e.type NOT IN ('CheckpointTimestamped', 'LedgerAttested', 'LedgerLinked')
       ORDER BY e.position LIMIT 1) AS next_at
     FROM covered a`,
  );
  return coverageOf(rows[0]);
}

function coverageOf(row: Row | undefined): LogCoverage | null {
  if (row === undefined) return null;
  const { size, next_at: nextAt } = row;
  const lagSeconds = nextAt === null ? 0 : Math.max(0, (Date.now() - Date.parse(nextAt)) / 1_000);
  return { size: Number(size), lagSeconds };
}
