import { type Kysely, sql } from 'kysely';

/**
 * Organisations that are to be erased, or were erased. No stream begins in a closed organisation,
 * and no event is appended to an erased one. `append_events` checks this under the lock of the
 * head. It is otherwise unchanged.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE closed_organisations (
      organisation_id text COLLATE "C" PRIMARY KEY,
      erased boolean NOT NULL
    )`.execute(db);
  await sql`
    CREATE OR REPLACE FUNCTION append_events(
      g_entry integer[], g_stream text[], g_expected integer[],
      e_entry integer[], e_organisation text[], e_stream text[], e_version integer[],
      e_id text[], e_type text[], e_schema integer[], e_recorded text[], e_data text[],
      e_meta text[], e_leaf bytea[]
    ) RETURNS TABLE (
      entry integer, first_position bigint, stream text, expected integer, actual integer,
      present_id text
    ) LANGUAGE plpgsql VOLATILE
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
    #variable_conflict use_column
    DECLARE head bigint;
    BEGIN
      SELECT h.position INTO STRICT head FROM log_head h FOR UPDATE;
      RETURN QUERY
        WITH guard AS MATERIALIZED (
          SELECT g.entry, g.stream, g.expected, coalesce(
            (SELECT e.version FROM events e WHERE e.stream = g.stream
             ORDER BY e.version DESC LIMIT 1), 0) AS actual
          FROM unnest(g_entry, g_stream, g_expected) AS g(entry, stream, expected)
        ),
        shut AS MATERIALIZED (
          SELECT DISTINCT n.entry, n.organisation_id
          FROM unnest(e_entry, e_organisation, e_version) AS n(entry, organisation_id, version)
          JOIN closed_organisations c ON c.organisation_id = n.organisation_id
          WHERE c.erased OR n.version = 1
        ),
        accepted AS MATERIALIZED (
          SELECT n.*, head + row_number() OVER (ORDER BY n.ordinal) AS position
          FROM unnest(e_entry, e_organisation, e_stream, e_version, e_id, e_type, e_schema,
                      e_recorded, e_data, e_meta, e_leaf) WITH ORDINALITY
            AS n(entry, organisation_id, stream, version, event_id, type, schema,
                 recorded_at, data, meta, leaf, ordinal)
          WHERE NOT EXISTS (
            SELECT 1 FROM guard g WHERE g.entry = n.entry AND g.actual <> g.expected)
            AND NOT EXISTS (SELECT 1 FROM shut s WHERE s.entry = n.entry)
        ),
        inserted AS (
          INSERT INTO events (position, organisation_id, stream, version, event_id, type, schema,
                              recorded_at, data, meta, leaf)
          SELECT a.position, a.organisation_id, a.stream, a.version, a.event_id, a.type, a.schema,
                 a.recorded_at, a.data, a.meta, a.leaf
          FROM accepted a ORDER BY a.position
        ),
        moved AS (
          UPDATE log_head SET position = head + (SELECT count(*) FROM accepted)
          WHERE EXISTS (SELECT 1 FROM accepted)
        )
        SELECT a.entry, min(a.position), NULL::text, NULL::integer, NULL::integer, NULL::text
        FROM accepted a GROUP BY a.entry
        UNION ALL
        SELECT g.entry, NULL::bigint, g.stream, g.expected, g.actual,
               (SELECT e.event_id FROM events e
                WHERE e.stream = g.stream AND e.version = g.expected + 1)
        FROM guard g WHERE g.actual <> g.expected
        UNION ALL
        SELECT s.entry, NULL::bigint, s.organisation_id, NULL::integer, NULL::integer, NULL::text
        FROM shut s;
      PERFORM pg_notify('proofmark_log', '');
    END $$`.execute(db);
}
