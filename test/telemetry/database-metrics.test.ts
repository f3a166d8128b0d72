import { Registry } from '@prometheus-io/client';
import type pg from 'pg';
import { test } from 'tap';
import { evidence } from '../../projections/evidence/project.ts';
import { dueSuccessors } from '../../projections/evidence/query.ts';
import { storage } from '../../projections/storage/project.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { databaseMetrics } from '../../src/telemetry/database-metrics.ts';
import { createTestStore } from '../support/event-store.ts';
import { readExposition, sampleValue } from '../support/exposition.ts';
import { markedEntry } from '../support/marked-event.ts';

const readers = ['behind', 'caught up'];

/** Metrics of a process that has just started, without cached values. */
async function scrape(pool: pg.Pool, allowance: number | null = null) {
  const registry = new Registry();
  databaseMetrics(registry, pool, readers, allowance);
  return readExposition(await registry.metrics());
}

test('the lag of each reader is given in events and in seconds', async (t) => {
  let now = new Date(Date.now() - 60_000);
  const { pool, store } = await createTestStore(t, { now: () => now });
  const meta = { actor: 'operator' } as const;
  await store.append([markedEntry('a', 0, '1', '2')], meta);
  now = new Date(Date.now() - 20_000);
  await store.append([markedEntry('a', 2, '3', '4', '5')], meta);
  await pool.query(
    `INSERT INTO checkpoints (name, version, build, position, status) VALUES
       ('behind', 2, 1, 2, 'live'), ('behind', 3, 2, 0, 'building'), ('caught up', 1, 1, 5, 'live')`,
  );
  const samples = await scrape(pool);
  const lag = (unit: string, projection: string) =>
    sampleValue(samples, `proofmark_projection_lag_${unit}`, { projection });
  t.equal(lag('events', 'behind'), 3, 'of its live version');
  const seconds = lag('seconds', 'behind') ?? 0;
  t.ok(seconds >= 20 && seconds < 60, `since the third event was recorded: ${seconds}`);
  t.equal(lag('events', 'caught up'), 0);
  t.equal(lag('seconds', 'caught up'), 0);
  t.equal(sampleValue(samples, 'proofmark_log_head_position'), 5);
  t.equal(sampleValue(samples, 'proofmark_database_up'), 1);
  t.equal(sampleValue(samples, 'proofmark_checkpoint_size'), undefined, 'none yet');

  await pool.query(
    "INSERT INTO published_checkpoints (number, note, vkeys) VALUES (1, E'log\\n3\\nroot\\n', '')",
  );
  t.equal(sampleValue(samples, 'proofmark_checkpoint_anchored_size'), undefined);
  const checkpoint = { origin: 'log', size: 2, rootHash: '' };
  await pool.query(
    `INSERT INTO events SELECT 6, NULL, stream, 6, 'e6', 'CheckpointAnchored', 1, recorded_at, $1, '{}', leaf
     FROM events WHERE position = 5`,
    [JSON.stringify(checkpoint)],
  );
  await pool.query(
    `INSERT INTO events SELECT 7, NULL, 'timestamp-1', 1, 'e7', 'CheckpointTimestamped', 1, recorded_at,
       data, '{}', leaf
     FROM events WHERE position = 5`,
  );
  await pool.query(
    `INSERT INTO events SELECT 8, NULL, 'attestation-1', 1, 'e8', 'LedgerAttested', 1, recorded_at,
       data, '{}', leaf
     FROM events WHERE position = 5`,
  );
  const idle = sampleValue(await scrape(pool), 'proofmark_checkpoint_anchored_lag_seconds');
  t.equal(idle, 0, 'tokens and attestations are no reason for another checkpoint');
  await pool.query(
    `INSERT INTO events SELECT 9, NULL, 'proof-1', 1, 'e9', type, 1, $1, data, '{}', leaf
     FROM events WHERE position = 5`,
    [new Date(Date.now() - 7_000).toISOString()],
  );
  const later = await scrape(pool);
  t.equal(sampleValue(later, 'proofmark_checkpoint_anchored_size'), 2);
  const unanchored = sampleValue(later, 'proofmark_checkpoint_anchored_lag_seconds') ?? 0;
  t.ok(unanchored >= 7 && unanchored < 20, `events about anchoring do not count: ${unanchored}`);
  t.equal(sampleValue(later, 'proofmark_checkpoint_size'), 3);
  const uncovered = sampleValue(later, 'proofmark_checkpoint_lag_seconds') ?? 0;
  t.ok(uncovered >= 20 && uncovered < 60, `since the fourth event was recorded: ${uncovered}`);
});

test('a checkpoint that is not anchored has an age, and so has one anchored long ago', async (t) => {
  const { pool, store } = await createTestStore(t, { now: () => new Date(Date.now() - 60_000) });
  await store.append([markedEntry('a', 0, '1')], { actor: 'operator' });
  const add = (position: number, stream: string | null, type: string, data: object = {}) =>
    pool.query(
      `INSERT INTO events SELECT $1::int, NULL, coalesce($2, stream), $1::int, 'e' || $1::int, $3, 1, recorded_at, $4, '{}', leaf
       FROM events WHERE position = 1`,
      [position, stream, type, JSON.stringify(data)],
    );
  const age = async () =>
    sampleValue(await scrape(pool), 'proofmark_checkpoint_anchored_lag_seconds');
  await add(2, 'proof-0', 'ProofRequested');
  t.equal(await age(), undefined, 'none was requested');
  await add(3, null, 'CheckpointRequested');
  t.ok(Number(await age()) >= 60, 'the first one is missing');
  await add(4, null, 'CheckpointAnchored', { size: 1 });
  for (let position = 5; position < 160; position += 1) {
    await add(position, null, 'CheckpointExpired');
  }
  t.ok(Number(await age()) >= 60, 'later ones expired');
});

test('counts the due deliveries that can be made', async (t) => {
  const { pool } = await createTestStore(t);
  await pool.query(
    `INSERT INTO webhook_endpoints (webhook_id, organisation_id, kinds, active, since, resting_until)
     SELECT id, 'o', '{}', id <> 'disabled', 0, CASE id WHEN 'rests' THEN now() + interval '1h' END
     FROM unnest(ARRAY['a', 'b', 'disabled', 'idle', 'rests']) AS id`,
  );
  await pool.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, organisation_id, kind, resource_id, position,
       occurred_at, status, due_at)
     SELECT w || n, w, 'o', 'k', 'r', 1, '', CASE WHEN s IS NULL THEN 'delivered' ELSE 'pending' END,
       now() - s * interval '1s'
     FROM (VALUES ('a', 30, 3), ('b', 90, 2), ('b', -600, 4), ('disabled', 500, 1), ('rests', 400, 1),
       ('idle', NULL, 5)) AS v(w, s, count), generate_series(1, count) AS each(i),
       LATERAL (SELECT coalesce(s::text, '-') || '.' || i AS n) AS numbered`,
  );
  const samples = await scrape(pool);
  t.equal(sampleValue(samples, 'proofmark_webhook_due_deliveries'), 5);
  const oldest = sampleValue(samples, 'proofmark_webhook_oldest_due_seconds') ?? 0;
  t.ok(oldest >= 90 && oldest < 400, `oldest due delivery that can be made: ${oldest}`);
});

test('counts the certificates that get a successor, also before their read model exists', async (t) => {
  const { pool, db } = await createTestStore(t);
  const due = async () => sampleValue(await scrape(pool), 'proofmark_certificate_due_successors');
  t.equal(await due(), 0);
  await prepareProjection(db, evidence);
  await pool.query(
    `INSERT INTO bare_certificates (proof_id, organisation_id, ledger_id, ledger_index, is_due)
     SELECT 'p' || n, 'o', '1', 7, n <= 3 FROM generate_series(1, 5) AS n`,
  );
  t.equal(await due(), 3);
  await pool.query(
    `INSERT INTO bare_certificates (proof_id, organisation_id, ledger_id, ledger_index, is_due)
     VALUES ('q', 'closed', '1', 7, true)`,
  );
  await pool.query("INSERT INTO closed_organisations VALUES ('closed', false)");
  t.equal(await due(), 3, 'without certificates of closed organisations');
  t.equal((await dueSuccessors(db, 10, [])).length, 3, 'as many as get one');
});

test('adds up the bytes of stored files, and counts organisations near their allowance', async (t) => {
  const { pool, db } = await createTestStore(t);
  const of = async (name: string, allowance?: number) =>
    sampleValue(await scrape(pool, allowance), name);
  t.equal(await of('proofmark_stored_bytes'), 0, 'before the read model exists');
  await prepareProjection(db, storage);
  await pool.query(
    `INSERT INTO stored_files (organisation_id, files, bytes, allowance_bytes, unlimited)
     VALUES ('full', 1, 90, 100, false), ('half', 1, 50, 100, false), ('default', 1, 70, NULL, false),
       ('unlimited', 1, 500, NULL, true)`,
  );
  t.equal(await of('proofmark_stored_bytes'), 710);
  t.equal(await of('proofmark_storage_nearly_full_organisations'), 1);
  t.equal(await of('proofmark_storage_nearly_full_organisations', 75), 2);
});

test('while the database is silent or away, a scrape reports it in bounded time', async (t) => {
  const { pool, url } = await createTestStore(t);
  const registry = new Registry();
  databaseMetrics(registry, pool, readers);
  const blocker = await pool.connect();
  await blocker.query('BEGIN; LOCK TABLE checkpoints IN ACCESS EXCLUSIVE MODE');
  const silent = readExposition(await registry.metrics());
  t.equal(sampleValue(silent, 'proofmark_database_up'), 0);
  t.equal(sampleValue(silent, 'proofmark_webhook_due_deliveries'), undefined, 'unknown is not 0');
  t.equal(sampleValue(silent, 'proofmark_database_connections', { state: 'waited for' }), 0);
  await blocker.query('ROLLBACK');
  blocker.release();

  const nowhere = Object.assign(new URL(url), { port: '1' }).href;
  const away = openDatabase(nowhere, { maxConnections: 1 });
  t.teardown(() => away.close());
  t.equal(sampleValue(await scrape(away.pool), 'proofmark_database_up'), 0);
});
