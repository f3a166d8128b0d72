import { type Kysely, sql } from 'kysely';

/**
 * The log. Events are written only by `append_events`. It locks the head row first and reads stream
 * versions after that: every statement of a VOLATILE function sees the commits made while the
 * function waited. Positions are therefore dense and in commit order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE events (
      position bigint PRIMARY KEY,
      organisation_id text,
      stream text NOT NULL,
      version integer NOT NULL CHECK (version >= 1),
      event_id text NOT NULL,
      type text NOT NULL,
      schema integer NOT NULL,
      recorded_at text NOT NULL,
      data text NOT NULL,
      meta text NOT NULL,
      leaf bytea NOT NULL CHECK (length(leaf) = 32),
      UNIQUE (stream, version),
      CHECK (type <> 'LogOpened' OR position = 1)
    )`.execute(db);
  await sql`CREATE INDEX events_organisation ON events (organisation_id, position)`.execute(db);

  await sql`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'events are append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);

  await sql`
    CREATE TABLE log_head (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      position bigint NOT NULL
    )`.execute(db);
  await sql`INSERT INTO log_head (position) VALUES (0)`.execute(db);

  // The keys of each organisation, wrapped by the master key. Destroying both keys erases the
  // organisation.
  await sql`
    CREATE TABLE data_keys (
      organisation_id text NOT NULL,
      purpose text NOT NULL CHECK (purpose IN ('data', 'index')),
      key_id text NOT NULL,
      wrapped bytea NOT NULL,
      PRIMARY KEY (organisation_id, purpose)
    )`.execute(db);

  // g_*: one row per entry and stream, with the version the entry expects.
  // e_*: one row per event, in the order of the log. An entry is appended whole or not at all.
  // Plan once per connection: planning costs more than a small append. Forbid sequential scans,
  // because a plan made for a small table stays in use while the table grows.
  await sql`
    CREATE FUNCTION append_events(
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
        accepted AS MATERIALIZED (
          SELECT n.*, head + row_number() OVER (ORDER BY n.ordinal) AS position
          FROM unnest(e_entry, e_organisation, e_stream, e_version, e_id, e_type, e_schema,
                      e_recorded, e_data, e_meta, e_leaf) WITH ORDINALITY
            AS n(entry, organisation_id, stream, version, event_id, type, schema,
                 recorded_at, data, meta, leaf, ordinal)
          WHERE NOT EXISTS (
            SELECT 1 FROM guard g WHERE g.entry = n.entry AND g.actual <> g.expected)
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
        FROM guard g WHERE g.actual <> g.expected;
      PERFORM pg_notify('proofmark_log', '');
    END $$`.execute(db);
}
