import { test } from 'tap';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import { createOrganisationEnding } from '../../src/event-store/organisation-ending.ts';
import { readPersonal, serviceOwner } from '../../src/event-store/personal-meta.ts';
import type { EventMeta, EventRow, StoredEvent } from '../../src/event-store/stored-event.ts';
import { dumpDatabase, formsOf } from '../support/dump-database.ts';
import { createTestStore, testDeps } from '../support/event-store.ts';

const meta: EventMeta = { actor: 'operator', operator: 'Jane Roe ä' };
const client = { address: '203.0.113.9', hashed: false };

test('names and addresses are stored encrypted, bound to their event', async (t) => {
  const db = await createTestStore(t);
  const { store, keyring, pool } = db;
  const deps = { ...testDeps, store };
  await openLog(deps, meta);
  const organisationId = await openOrganisation(deps, { name: 'A', plan: 'free' }, meta);
  const called: EventMeta = { requestId: 'r', keyId: 'k', actor: 'api', client };
  await createWorkspace(deps, { organisationId, name: 'of a call' }, called);
  const hashed = { ...called, client: { ...client, hashed: true } };
  await createWorkspace(deps, { organisationId, name: 'hashed' }, hashed);
  await createWorkspace(deps, { organisationId, name: 'plain' }, { actor: 'start' });
  const events = await store.readLog(0, 100);
  const [opened, organisation, workspace, ofHash, plain] = events;
  if (!opened || !organisation || !workspace || !ofHash || !plain)
    throw new Error('too few events');

  const read = (event: StoredEvent) => readPersonal(event, keyring);
  t.strictSame(await read(opened), { operator: meta.operator }, 'an event of no organisation');
  t.strictSame(await read(organisation), { operator: meta.operator });
  t.strictSame(await read(workspace), { client: client.address });
  t.match(await read(ofHash), { client: /^hmac:[0-9a-f]{64}$/ });
  t.strictSame(await read(plain), {}, 'an event without, as all of earlier releases are');
  t.strictSame(plain.meta, { actor: 'start' });
  t.match(workspace.meta, { requestId: 'r', keyId: 'k', actor: 'api' });
  t.equal(opened.meta.sealed?.of, serviceOwner);
  t.equal(organisation.meta.sealed?.of, undefined);

  const dump = await dumpDatabase(pool);
  for (const text of ['Jane Roe', client.address, '203.0.113']) {
    t.notOk(
      formsOf(text).some((form) => dump.includes(form)),
      `no ${text} in the database`,
    );
  }
  const { rows } = await pool.query<EventRow>('SELECT * FROM events ORDER BY position');
  for (const row of rows) t.strictSame(leafHash(leafInputOf(row)), row.leaf, 'the leaf covers it');

  const moved = { ...ofHash, meta: workspace.meta };
  await t.rejects(read(moved), 'the name of another event');
  const { sealed: data } = JSON.parse(rows[1]?.data ?? '{}');
  await t.rejects(read({ ...organisation, meta: { sealed: data } }), 'the data of the same event');
});

test('the HMAC of an address differs between organisations, and is stable in one', async (t) => {
  const { store, keyring } = await createTestStore(t);
  const deps = { ...testDeps, store };
  const called: EventMeta = { actor: 'api', client: { ...client, hashed: true } };
  for (const name of ['A', 'B']) {
    const organisationId = await openOrganisation(deps, { name, plan: 'free' }, called);
    await createWorkspace(deps, { organisationId, name }, called);
  }
  const events = await store.readLog(0, 10, ['OrganisationOpened', 'WorkspaceCreated']);
  const seen = await Promise.all(events.map((event) => readPersonal(event, keyring)));
  const [a, ofA, b, ofB] = seen.map((personal) => personal?.client);
  t.equal(a, ofA);
  t.equal(b, ofB);
  t.not(a, b);
});

test('erasing an organisation erases them; the erasure still names its operator', async (t) => {
  const { store, keyring, pool, masterKey } = await createTestStore(t);
  const deps = { ...testDeps, store };
  const both: EventMeta = { ...meta, client };
  const organisationId = await openOrganisation(deps, { name: 'A', plan: 'free' }, both);
  const kept = await openOrganisation(deps, { name: 'B', plan: 'free' }, both);
  const ending = createOrganisationEnding(pool, { keyring });
  await ending.close(organisationId);
  const event = { type: 'OrganisationErased', data: { organisationId } } as const;
  const stream = `organisation-${organisationId}`;
  await ending.end({ organisationId, stream, expectedVersion: 1, event }, both);
  const events = await store.readLog(0, 10);
  // The other one may use a destroyed key for half a second.
  const now = createKeyring(pool, masterKey);
  const seen = await Promise.all(
    events.map(async (each) => [each.type, each.organisationId, await readPersonal(each, now)]),
  );
  const whole = { operator: meta.operator, client: client.address };
  t.strictSame(seen, [
    ['OrganisationOpened', organisationId, null],
    ['OrganisationOpened', kept, whole],
    ['OrganisationErased', organisationId, { operator: meta.operator }],
  ]);
  await pool.query('DELETE FROM data_keys WHERE organisation_id = $1', [serviceOwner]);
  const later = createKeyring(pool, masterKey);
  const [erasure] = events.slice(-1);
  if (erasure === undefined) throw new Error('there are no events');
  t.equal(await readPersonal(erasure, later), null, 'the keys of the service are destroyed');
  await later.create(serviceOwner);
  t.equal(await readPersonal(erasure, later), null, 'and replaced by others');
});
