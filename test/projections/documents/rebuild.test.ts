import pg from 'pg';
import { type Test, test } from 'tap';
import { documents } from '../../../projections/documents/project.ts';
import { queryDocuments } from '../../../projections/documents/query-documents.ts';
import { documentsTables } from '../../../projections/documents/table.ts';
import { evidence } from '../../../projections/evidence/project.ts';
import { openBuildReaders } from '../../../src/database-threads/open-build-readers.ts';
import { catchUp } from '../../../src/subscriptions/catch-up.ts';
import { tableName } from '../../../src/subscriptions/projection.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import { fillAnew, type RebuildProgress } from '../../../src/subscriptions/rebuild-projection.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { type Archive, type ArchivedProof, createArchive } from '../../support/archive.ts';
import { createTestStore, openTestStore, type TestStore } from '../../support/event-store.ts';
import { type Random, seededRandom } from '../../support/seed.ts';

/** All rows of all tables of one build. */
async function dump({ pool }: TestStore, build: number) {
  const named = tableName(build);
  const tables = documentsTables.map(async (table) => {
    const sorted = `SELECT * FROM ${named(table)} AS r ORDER BY r::text`;
    return [table, (await pool.query(sorted)).rows] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** Folds the whole log into another build, cycling through the given stretch lengths. */
async function rebuild(test: TestStore, build: number, lengths: readonly number[]) {
  const { db, store } = test;
  const named = tableName(build);
  const events = await store.readLog(0, 100_000, documents.types);
  await db.transaction().execute((trx) => documents.create(trx, named));
  for (let from = 0, turn = 0; from < events.length; turn += 1) {
    const until = from + (lengths[turn % lengths.length] ?? 1);
    const stretch = events.slice(from, until);
    await db.transaction().execute((trx) => documents.project(trx, stretch, named));
    from = until;
  }
}

/** Builds as a rebuild of a large log does. The connections of its threads are cut once. */
async function buildWithThreads(
  t: Test,
  { db, store, url, masterKey, pool }: TestStore,
  pageSize: number,
) {
  const masterKeys = { present: masterKey };
  const readers = openBuildReaders({ url, masterKeys, fewestPositions: 0 });
  const locks = openWorkLocks(url);
  t.teardown(() => Promise.all([readers.close(), locks.close()]));
  let cut = false;
  const onProgress = ({ position }: RebuildProgress) => {
    if (cut || position === 0) return;
    cut = true;
    const others =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
    pool
      .query(`${others} AND datname = current_database() AND application_name = 'proofmark'`)
      .catch(() => {});
  };
  return fillAnew({ db, store, locks, projection: documents, readers, pageSize, onProgress });
}

async function live(archive: Archive, random: Random, steps: number) {
  const open: ArchivedProof[] = [];
  const alone: ArchivedProof[] = [];
  for (let step = 0; step < steps; step += 1) {
    const choice = random();
    const fileName = `file ${step % 7}`;
    const index = Math.floor(random() * open.length);
    const proof = open[index];
    if (choice < 0.3 || proof === undefined) {
      const requested = await archive.request({ fileName });
      open.push(requested);
      alone.push(requested);
    } else if (choice < 0.45) {
      open.push(await archive.upload({ fileName, classification: { runId: 'r' } }));
    } else if (choice < 0.55) {
      const of = alone.pop();
      if (of && open.includes(of)) await archive.upload({ of, fileName: 'linked' });
    } else {
      open.splice(index, 1);
      if (proof.documentId && choice < 0.65) open.push(await archive.revise(proof));
      if (choice < 0.85) await archive.complete(proof, choice < 0.7 ? 'AB'.repeat(32) : null);
      else if (choice < 0.9) await archive.expire(proof, await archive.prepare(proof));
      else if (proof.documentId) await archive.refuse(proof);
      else await archive.withdraw(proof);
    }
  }
}

async function start(t: Test) {
  const written = await createTestStore(t);
  const { db, store } = written;
  for (const each of [documents, evidence]) await prepareProjection(db, each);
  const settle = async () =>
    catchUp({ db, store, projections: [documents], position: await store.head() });
  return { written, settle, random: seededRandom(t) };
}

test('refolding the log gives the same tables for stretches of any length', async (t) => {
  const { written, settle, random } = await start(t);
  const archives = [await createArchive(written.store), await createArchive(written.store)];
  const emptied = await createArchive(written.store);
  const only = await emptied.request();
  await settle();
  await emptied.withdraw(only);
  for (let round = 0; round < 12; round += 1) {
    for (const archive of archives) await live(archive, random, 12);
    await settle();
  }
  const folded = await dump(written, 1);
  t.ok((folded.documents?.length ?? 0) > 20 && (folded.document_blobs?.length ?? 0) > 5);
  t.equal(await buildWithThreads(t, written, 1 + Math.floor(random() * 60)), 2);
  t.strictSame(await dump(written, 2), folded, 'read on threads');
  await rebuild(written, 3, [100_000]);
  t.strictSame(await dump(written, 3), folded, 'in one stretch');
  await rebuild(written, 4, [1]);
  t.strictSame(await dump(written, 4), folded, 'event by event');
  await rebuild(written, 5, [7, 1, 30, 2]);
  t.strictSame(await dump(written, 5), folded, 'in stretches of several lengths');
});

test('an organisation whose keys were destroyed folds to nothing, and blocks no other', async (t) => {
  const { written, random } = await start(t);
  const gone = await createArchive(written.store);
  const kept = await createArchive(written.store);
  for (const archive of [gone, kept]) await live(archive, random, 60);
  await written.pool.query('DELETE FROM data_keys WHERE organisation_id = $1', [
    gone.organisationId,
  ]);
  const { db, store } = openTestStore(t, written.url);
  await catchUp({ db, store, projections: [documents], position: await store.head() });
  const tables = await dump(written, 1);
  t.notMatch(JSON.stringify(tables), gone.organisationId);
  t.ok(tables.documents?.every((row) => row.organisation_id === kept.organisationId));
  const page = { page: 1, limit: 100 };
  t.match(await queryDocuments(db, { organisationId: gone.organisationId, ...page }), { total: 0 });
  const listed = await queryDocuments(db, { organisationId: kept.organisationId, ...page });
  t.equal(listed.total, tables.documents?.length);
});

test('destroying keys between two events of a proof does not stop the projection', async (t) => {
  const { written, settle } = await start(t);
  const archive = await createArchive(written.store);
  const before = await archive.request();
  await settle();
  const after = await archive.upload();
  const hash = await archive.prepare(before);
  await archive.complete(after);
  await archive.anchor(before, hash);
  await archive.upload({ of: before });
  await written.pool.query('DELETE FROM data_keys');
  const { db, store } = openTestStore(t, written.url);
  await catchUp({ db, store, projections: [documents], position: await store.head() });
  const { organisationId } = archive;
  const listed = await queryDocuments(db, { organisationId, page: 1, limit: 10 });
  t.match(listed, { total: 1, items: [{ proofId: before.proofId, document: null }] });
});

test('folds thousands of events in few statements', async (t) => {
  const { written, settle, random } = await start(t);
  const archive = await createArchive(written.store);
  await live(archive, random, 400);
  const head = await written.store.head();
  let statements = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function count(this: pg.Client, ...args: unknown[]) {
    statements += 1;
    return Reflect.apply(query, this, args);
  } as typeof query;
  const begun = performance.now();
  await settle().finally(() => {
    pg.Client.prototype.query = query;
  });
  t.comment(`${Math.round((head / (performance.now() - begun)) * 1_000)} events/s`);
  t.ok(statements < 40, `${statements} statements for ${head} events`);
});
