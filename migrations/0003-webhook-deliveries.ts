import { type Kysely, sql } from 'kysely';

/**
 * Webhook deliveries and their results. Rows hold only ids: URLs, secrets and bodies are read when
 * a delivery is sent. `webhook_endpoints` holds the state folded from the endpoints' events
 * (`since` is the position of the registration), and the results of the latest attempts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE webhook_endpoints (
      webhook_id text COLLATE "C" PRIMARY KEY,
      organisation_id text NOT NULL,
      kinds text[] NOT NULL,
      active boolean NOT NULL,
      since bigint NOT NULL,
      failing_since timestamptz,
      resting_until timestamptz,
      last_delivery_id text COLLATE "C"
    ) WITH (fillfactor = 70)`.execute(db);
  await sql`CREATE INDEX ON webhook_endpoints (organisation_id)`.execute(db);

  // `due_at` is set while pending. `failures` counts since the schedule began, `attempts` counts
  // all. A worker that has claimed a delivery has a lease on it (`lease`) until `leased_until`.
  await sql`
    CREATE TABLE webhook_deliveries (
      id text COLLATE "C" PRIMARY KEY,
      webhook_id text COLLATE "C" NOT NULL,
      organisation_id text NOT NULL,
      kind text NOT NULL,
      resource_id text NOT NULL,
      root_id text,
      position bigint NOT NULL,
      occurred_at text NOT NULL,
      status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'held')),
      due_at timestamptz,
      lease text,
      leased_until timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      failures integer NOT NULL DEFAULT 0,
      last_attempt_at timestamptz,
      response_status integer,
      trouble text,
      duration_ms integer,
      CHECK ((status = 'pending') = (due_at IS NOT NULL))
    ) WITH (
      fillfactor = 70,
      autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_analyze_scale_factor = 0.05
    )`.execute(db);
  // Due deliveries by endpoint, so that a claim need not read one endpoint's backlog to find
  // others.
  await sql`
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at)
    WHERE due_at IS NOT NULL`.execute(db);
  await sql`CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, id)`.execute(db);

  await sql`
    INSERT INTO checkpoints (name, version, position, live, state)
    VALUES ('webhook deliveries', 1, 0, true, NULL)`.execute(db);
}
