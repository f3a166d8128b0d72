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

/** Number of newest events in the log's own stream to search; each checkpoint has only a few. */
const lookBack = 100;

/**
 * Coverage by the newest checkpoint on the ledger. Events of the anchoring and timestamping of
 * checkpoints do not count as uncovered, since no checkpoint is anchored for them alone. Null if no
 * checkpoint was anchored recently.
 */
export async function readAnchoredCoverage(client: pg.ClientBase): Promise<LogCoverage | null> {
  const { rows } = await client.query<Row>(
    `WITH log AS (SELECT stream FROM events WHERE position = 1),
     anchored AS (
       SELECT (newest.data::jsonb ->> 'size')::bigint AS size
       FROM (SELECT e.type, e.version, e.data FROM log JOIN events e USING (stream)
             ORDER BY e.version DESC LIMIT $1) AS newest
       WHERE newest.type = 'CheckpointAnchored' ORDER BY newest.version DESC LIMIT 1)
     SELECT a.size, (
       SELECT e.recorded_at FROM events e, log
       WHERE e.position > a.size AND e.stream <> log.stream AND e.stream NOT LIKE 'account-%'
         AND e.type <> 'CheckpointTimestamped'
       ORDER BY e.position LIMIT 1) AS next_at
     FROM anchored a`,
    [lookBack],
  );
  return coverageOf(rows[0]);
}

function coverageOf(row: Row | undefined): LogCoverage | null {
  if (row === undefined) return null;
  const { size, next_at: nextAt } = row;
  const lagSeconds = nextAt === null ? 0 : Math.max(0, (Date.now() - Date.parse(nextAt)) / 1_000);
  return { size: Number(size), lagSeconds };
}
