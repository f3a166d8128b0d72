import { test } from 'tap';
import { ulid } from 'ulid';
import { agentRuns } from '../../../projections/agent-runs/project.ts';
import { queryDecisions } from '../../../projections/agent-runs/query-decisions.ts';
import { queryRuns } from '../../../projections/agent-runs/query-runs.ts';
import { agentRunsTables } from '../../../projections/agent-runs/table.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { catchUp } from '../../../src/subscriptions/catch-up.ts';
import { tableName } from '../../../src/subscriptions/projection.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import { createTestStore, openTestStore, type TestStore } from '../../support/event-store.ts';
import { decisionsOf, runRecorded } from '../../support/runs.ts';

async function record(
  test: TestStore,
  organisationId: OrganisationId,
  runId: string,
  bytes: number,
) {
  const decisions = decisionsOf(bytes, 5);
  const fields = { decisions, finishedAt: '2026-01-01T00:00:00Z', objective: 'o' };
  const events = [runRecorded(organisationId, runId, fields)];
  const stream = streams.run(organisationId, runId);
  await test.store.append([{ organisationId, stream, expectedVersion: 0, events }], {});
}

async function dump({ pool }: TestStore, build: number) {
  const named = tableName(build);
  const tables = agentRunsTables.map(async (table) => {
    const sorted = `SELECT * FROM ${named(table)} AS r ORDER BY r::text`;
    return [table, (await pool.query(sorted)).rows] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

test('folding the log gives the same tables for stretches of any length', async (t) => {
  const written = await createTestStore(t);
  const { db, store } = written;
  await prepareProjection(db, agentRuns);
  const organisationId = ulid() as OrganisationId;
  await store.createKeys(organisationId);
  for (let n = 0; n < 9; n += 1) await record(written, organisationId, `${n}`, 1_000);
  await catchUp({ db, store, projections: [agentRuns], position: await store.head() });
  const folded = await dump(written, 1);
  t.equal(folded.agent_decisions?.length, 45);
  const events = await store.readLog(0, 100, agentRuns.types);
  for (const [build, length] of [
    [2, 1],
    [3, 4],
  ] as const) {
    const named = tableName(build);
    await db.transaction().execute((trx) => agentRuns.create(trx, named));
    for (let from = 0; from < events.length; from += length) {
      const stretch = events.slice(from, from + length);
      await db.transaction().execute((trx) => agentRuns.project(trx, stretch, named));
    }
    t.strictSame(await dump(written, build), folded, `by ${length}`);
  }
});

test('an organisation whose keys were destroyed folds to nothing, and blocks no other', async (t) => {
  const written = await createTestStore(t);
  const [gone, kept] = [ulid(), ulid()] as OrganisationId[];
  if (!gone || !kept) throw new Error('two were made');
  for (const organisationId of [gone, kept]) {
    await written.store.createKeys(organisationId);
    await record(written, organisationId, 'r', 1_000);
  }
  await written.pool.query('DELETE FROM data_keys WHERE organisation_id = $1', [gone]);
  const { db, store } = openTestStore(t, written.url);
  await prepareProjection(db, agentRuns);
  await catchUp({ db, store, projections: [agentRuns], position: await store.head() });
  const page = { page: 1, limit: 10 };
  t.match(await queryRuns(db, { organisationId: gone, ...page }), { items: [], total: 0 });
  t.match(await queryDecisions(db, { organisationId: gone, ...page }), { items: [], total: 0 });
  t.equal((await queryDecisions(db, { organisationId: kept, ...page })).total, 5);
  t.notMatch(JSON.stringify(await dump(written, 1)), gone);
});
