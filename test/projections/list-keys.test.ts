import { RawNode, sql } from 'kysely';
import { type Test, test } from 'tap';
import { ulid } from 'ulid';
import { countLiveKeys, listKeys } from '../../projections/access/list-keys.ts';
import { access } from '../../projections/access/project.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { revokeKey } from '../../src/commands/revoke-key.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestStore, testDeps } from '../support/event-store.ts';

const meta = { actor: 'operator' } as const;

async function startSite(t: Test) {
  const { db, store } = await createTestStore(t);
  await prepareProjection(db, access);
  const open = () =>
    openOrganisation({ ...testDeps, store }, { name: 'A', plan: 'professional' }, meta);
  const issue = async (organisationId: OrganisationId) => {
    const limits = { requestsPerMinute: null, requestsPerDay: null };
    const order = { organisationId, name: null, scopes: ['documents:read'], agent: false };
    const issued = { ...order, ...limits, expiresAt: null, issuedBy: null };
    return (await issueKey({ ...testDeps, store }, issued, meta)).keyId;
  };
  const settle = async () =>
    catchUp({ db, store, projections: [access], position: await store.head() });
  return { db, store, open, issue, settle };
}

test('pages of keys continue each other, whatever other organisations issue', async (t) => {
  const { db, store, open, issue, settle } = await startSite(t);
  const [one, other] = [await open(), await open()];
  const own = [];
  for (let n = 0; n < 5; n += 1) {
    own.push(await issue(one));
    await issue(other);
    // Each call of the projector must go on with the numbers of the last one.
    if (n % 2 === 0) await settle();
  }
  const [first] = own;
  if (first === undefined) throw new Error('no key was issued');
  await revokeKey(store, first, null, meta);
  await settle();
  const pageOf = async (page: number, limit: number) => {
    const { items, total } = await listKeys(db, one, { page, limit });
    return [items.map(({ keyId }) => keyId), total];
  };
  t.strictSame(await pageOf(1, 2), [own.slice(0, 2), 5]);
  t.strictSame(await pageOf(2, 2), [own.slice(2, 4), 5]);
  t.strictSame(await pageOf(3, 2), [own.slice(4), 5]);
  t.strictSame(await pageOf(4, 2), [[], 5]);
  t.strictSame(await pageOf(1_000_000_000, 100), [[], 5]);
  t.equal(await countLiveKeys(db, one, new Date()), 4);
});

/** Number of blocks that the queries of `read` look at. */
async function blocksOf(db: ReadModels, read: (db: ReadModels) => Promise<unknown>) {
  let blocks = 0;
  const explain = 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ';
  const explained = db.withPlugin({
    transformQuery: ({ node }) => RawNode.create([explain, ''], [node]),
    async transformResult({ result }) {
      const [row] = result.rows as { 'QUERY PLAN': [{ Plan: Record<string, number> }] }[];
      const plan = row?.['QUERY PLAN'][0].Plan ?? {};
      blocks += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      return { ...result, rows: [] };
    },
  });
  await read(explained);
  return blocks;
}

test('pages and the limit of keys cost as much after many revoked and expired keys', async (t) => {
  const { db, open, issue, settle } = await startSite(t);
  const organisationId = await open();
  await issue(organisationId);
  await settle();
  const many = 20_000;
  await sql`
    INSERT INTO api_keys
    SELECT (jsonb_populate_record(k, jsonb_build_object(
      'key_id', ${ulid()} || n, 'key_hash', n::text, 'position', k.position + n, 'number', 1 + n,
      'revoked', n % 2 = 0, 'expires_at', '2020-01-31T12:00:00.000Z'))).*
    FROM api_keys k, generate_series(1, ${many}::bigint) n`.execute(db);
  await sql`ANALYZE api_keys_v1`.execute(db);
  const now = new Date();
  for (const page of [1, many / 200, many / 100]) {
    const { items, total } = await listKeys(db, organisationId, { page, limit: 100 });
    t.strictSame([items.length, total], [100, 1 + many]);
    const blocks = await blocksOf(db, (db) => listKeys(db, organisationId, { page, limit: 100 }));
    t.ok(blocks > 0 && blocks < 50, `${blocks} blocks for page ${page}`);
  }
  t.equal(await countLiveKeys(db, organisationId, now), 1);
  const blocks = await blocksOf(db, (db) => countLiveKeys(db, organisationId, now));
  t.ok(blocks > 0 && blocks < 50, `${blocks} blocks for the count`);
});
