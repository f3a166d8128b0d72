import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from '../findings/findings.ts';
import type { Queryable } from '../rows/read-rows.ts';

const mostListed = 1_000;
const againMs = 500;

interface Check {
  readonly table: string;
  readonly column: string | null;
  /** Selects `text`, the subject of the sentence, for each wrong row. */
  readonly sql: string;
  readonly what: string;
}

const head = '(SELECT max(position) FROM log_head)';
const ended = (type: string) =>
  `EXISTS (SELECT FROM events e WHERE e.stream = 'organisation-' || c.organisation_id
     AND e.type = '${type}')`;

/**
 * Each is one statement, so that a concurrent change of events and table is visible in both or in
 * neither. Times of use and counts of requests are left out: they follow from no event.
 */
const checks: readonly Check[] = [
  {
    table: 'closed_organisations',
    column: 'organisation_id',
    sql: `SELECT 'organisation ' || c.organisation_id AS text FROM closed_organisations c
      WHERE NOT ${ended('OrganisationClosed')} AND NOT ${ended('OrganisationErased')}`,
    what: 'is closed in this table, so that nothing of it is accepted, but no event closes it',
  },
  {
    table: 'closed_organisations',
    column: 'erased',
    sql: `SELECT 'organisation ' || c.organisation_id AS text FROM closed_organisations c
      WHERE c.erased <> ${ended('OrganisationErased')}
        AND (${ended('OrganisationClosed')} OR ${ended('OrganisationErased')})`,
    what: 'has another state in this table than the events record (erased)',
  },
  {
    table: 'closed_organisations',
    column: 'organisation_id',
    sql: `SELECT DISTINCT 'organisation ' || e.organisation_id AS text FROM events e
      WHERE e.type IN ('OrganisationClosed', 'OrganisationErased')
        AND e.organisation_id IS NOT NULL AND NOT EXISTS
        (SELECT FROM closed_organisations c WHERE c.organisation_id = e.organisation_id)`,
    what: 'is closed or erased, but it is missing in this table: events of it would be accepted',
  },
  {
    table: 'data_keys',
    column: 'organisation_id',
    sql: `SELECT DISTINCT 'organisation ' || e.organisation_id AS text FROM events e
      JOIN data_keys k ON k.organisation_id = e.organisation_id
      WHERE e.type = 'OrganisationErased'`,
    what: 'is erased, but it still has keys: its events can be read. Start the service, which destroys them',
  },
  {
    table: 'checkpoints',
    column: 'position',
    sql: `SELECT 'the reader ' || name || ' (build ' || build || ')' AS text FROM checkpoints
      WHERE (position > ${head} OR position < 0 OR position IS NULL) AND status <> 'live'`,
    what: 'states a position that the log does not have: later events would be skipped',
  },
  {
    table: 'checkpoints',
    column: 'position',
    sql: `SELECT 'the reader ' || name AS text FROM checkpoints
      WHERE (position > ${head} OR position < 0 OR position IS NULL) AND status = 'live'
        AND NOT name = ANY ($1)`,
    what: 'states a position that the log does not have: later events would be skipped',
  },
  {
    table: 'webhook_endpoints',
    column: 'webhook_id',
    sql: `SELECT 'endpoint ' || w.webhook_id AS text FROM webhook_endpoints w
      WHERE NOT EXISTS (SELECT FROM events e WHERE e.stream = 'webhook-' || w.webhook_id
        AND e.type = 'WebhookRegistered' AND e.organisation_id = w.organisation_id
        AND e.position = w.since)`,
    what: 'is not registered by an event of its organisation at this position',
  },
  {
    table: 'webhook_deliveries',
    column: 'position',
    sql: `SELECT 'delivery ' || d.id AS text FROM webhook_deliveries d
      WHERE d.position > ${head} OR NOT EXISTS (SELECT FROM events e
        WHERE e.stream = 'webhook-' || d.webhook_id AND e.type = 'WebhookRegistered'
          AND e.organisation_id = d.organisation_id)`,
    what: 'is for an event that the log does not have, or for an endpoint of another organisation',
  },
  {
    table: 'webhook_unattested_proofs',
    column: 'proof_id',
    sql: `SELECT 'proof ' || p.proof_id AS text FROM webhook_unattested_proofs p
      WHERE NOT EXISTS (SELECT FROM events e WHERE e.stream = 'proof-' || p.proof_id
        AND e.type = 'Anchored' AND e.position = p.position)`,
    what: 'waits in this table, but no event anchors it at this position',
  },
  {
    table: 'key_uses',
    column: 'key_id',
    sql: `SELECT 'key ' || u.key_id AS text FROM key_uses u
      WHERE NOT EXISTS (SELECT FROM events e WHERE e.stream = 'key-' || u.key_id)`,
    what: 'was used, but no event issues it',
  },
];

/** Triggers that refuse changes of what was recorded. */
const guards = [
  ['events', 'events_append_only'],
  ['published_checkpoints', 'published_checkpoints_append_only'],
  ['checkpoint_cosignatures', 'checkpoint_cosignatures_append_only'],
] as const;

/**
 * Checks the tables beside the log that steer what the service does: they must agree with the
 * events, and the triggers that keep the log append-only must be in force.
 * @param projections names of the read models, whose live positions their own audit compares
 */
export async function auditOperations(
  database: Queryable,
  {
    findings,
    projections,
  }: { readonly findings: Findings; readonly projections: readonly string[] },
): Promise<void> {
  for (const { table, column, sql, what } of checks) {
    const attempted = { in: 'operations', what: `table ${table}` } as const;
    const read = () =>
      database.query<{ text: string; total: number }>(
        `SELECT text, count(*) OVER () AS total FROM (${sql}) wrong ORDER BY text LIMIT ${mostListed}`,
        sql.includes('$1') ? [projections] : [],
      );
    // A closing organisation is in the table a moment before its event.
    const twice = async () => {
      const { rows } = await read();
      if (rows.length === 0) return [];
      await delay(againMs);
      const again = await read();
      return again.rows.filter(({ text }) => rows.some((row) => row.text === text));
    };
    const rows = (await findings.attempt(attempted, twice, null)) ?? [];
    const at = { in: 'operations', position: null, column } as const;
    for (const { text } of rows) {
      const ids = text.split(/[ ()]/).filter((word) => /^\w{26}$/.test(word));
      findings.reportFault({ ...at, what: `table ${table}: ${text} ${what}` }, { ids });
    }
    const times = (rows[0]?.total ?? 0) - rows.length;
    if (times > 0) {
      findings.reportFault({ ...at, what: `table ${table}: ${times} more rows ${what}`, times });
    }
  }
  await findings.attempt(
    { in: 'operations', what: 'the triggers of the log' },
    () => auditGuards(database, findings),
    undefined,
  );
}

async function auditGuards(database: Queryable, findings: Findings): Promise<void> {
  // Tables of other schemas may have these names.
  const { rows } = await database.query<{ guarded: string; name: string; fires: boolean }>(
    `SELECT guarded, tgname AS name, ${fires} AS fires
     FROM unnest($1::text[]) AS guarded JOIN pg_trigger ON tgrelid = to_regclass(guarded)`,
    [guards.map(([table]) => table)],
  );
  for (const [table, name] of guards) {
    const found = rows.find((row) => row.guarded === table && row.name === name);
    if (found?.fires === true) continue;
    const how = found === undefined ? 'is missing' : 'does not fire at every change';
    const what = `table ${table}: the trigger ${name} ${how}, so that rows can be changed`;
    findings.reportFault({ in: 'operations', position: null, column: null, what });
  }
}

/**
 * True for a trigger that fires in ordinary sessions (`O`, `A`), once before each statement that
 * updates, deletes or truncates, without condition or list of columns (PostgreSQL, `pg_trigger`).
 */
const fires = `(tgenabled IN ('O', 'A') AND tgtype & 1 = 0 AND tgtype & 58 = 58
  AND tgqual IS NULL AND tgattr::text = '')`;
