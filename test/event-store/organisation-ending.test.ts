import { setTimeout } from 'node:timers/promises';
import { test } from 'tap';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { OrganisationShut } from '../../src/domain/organisation/organisation-shut.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { createOrganisationEnding } from '../../src/event-store/organisation-ending.ts';
import { VersionConflict } from '../../src/event-store/version-conflict.ts';
import { createTestStore, openTestStore, testDeps } from '../support/event-store.ts';
import { until } from '../support/until.ts';

const meta = { actor: 'operator' } as const;
const suspended = { type: 'OrganisationSuspended', data: {} } as const;

function workspaceOf(organisationId: OrganisationId) {
  const workspaceId = testDeps.newId() as WorkspaceId;
  const data = { workspaceId, organisationId, name: 'Archive' };
  const events = [{ type: 'WorkspaceCreated', data }] as const;
  return { organisationId, stream: streams.workspace(workspaceId), expectedVersion: 0, events };
}

const more = (organisationId: OrganisationId, expectedVersion: number) => ({
  ...{ organisationId, stream: streams.organisation(organisationId), expectedVersion },
  events: [suspended],
});

const lastOf = (organisationId: OrganisationId, expectedVersion: number) => ({
  ...{ organisationId, stream: streams.organisation(organisationId), expectedVersion },
  event: { type: 'OrganisationErased', data: { organisationId } } as const,
});

const open = (store: EventStore, name = 'Acme') =>
  openOrganisation({ ...testDeps, store }, { name, plan: 'professional' }, meta);

test('in a closed organisation no stream can begin, and existing ones continue', async (t) => {
  const { store, pool } = await createTestStore(t);
  const ending = createOrganisationEnding(pool);
  const [closed, other] = [await open(store), await open(store)];
  await ending.close(closed);
  await ending.close(closed);
  // Written in one batch, since they are concurrent.
  const appends = [workspaceOf(closed), workspaceOf(other), more(closed, 1), more(other, 7)];
  const [refused, ...rest] = await Promise.allSettled(
    appends.map((entry) => store.append([entry], meta)),
  );
  t.match(refused, { status: 'rejected', reason: { code: 'COMPANY_SUSPENDED' } });
  t.ok(refused?.status === 'rejected' && refused.reason instanceof OrganisationShut);
  t.match(rest, [
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    { status: 'rejected', reason: { name: 'VersionConflict' } },
  ]);
  const both = [more(other, 1), workspaceOf(closed)];
  await t.rejects(store.append(both, meta), OrganisationShut, 'an append is refused as a whole');
  t.equal(await store.versionOf(streams.organisation(other)), 1);
});

test('the last event of an organisation is its end, even with concurrent appends', async (t) => {
  const { store, pool, url } = await createTestStore(t);
  const others = [store, openTestStore(t, url).store];
  const ending = createOrganisationEnding(pool);
  const organisationId = await open(store);
  const kept = await open(store, 'kept');
  await t.rejects(ending.end(lastOf(organisationId, 4), meta), VersionConflict);
  t.not(await store.index(organisationId, 'x'), null, 'the keys are still there');

  await ending.close(organisationId);
  const racers = others.map(async (racing) => {
    for (let appended = 0; ; ) {
      const version = await racing.versionOf(streams.organisation(organisationId));
      try {
        await racing.append([more(organisationId, version)], meta);
        appended += 1;
        // Else an ending of a slow machine always comes too late.
        if (appended > 10) await setTimeout(appended);
      } catch (error) {
        if (error instanceof OrganisationShut) return appended;
        if (!(error instanceof VersionConflict)) throw error;
      }
    }
  });
  await until('the writers append', async () => (await store.lastPositionOf(organisationId)) > 20);
  await until('the organisation is ended', async () => {
    const version = await store.versionOf(streams.organisation(organisationId));
    const ended = ending.end(lastOf(organisationId, version), meta);
    return ended.then(
      () => true,
      (error) => error instanceof VersionConflict && false,
    );
  });
  t.ok((await Promise.all(racers)).reduce((all, one) => all + one) > 10);
  const last = await store.readLast(streams.organisation(organisationId));
  t.match(last, { type: 'OrganisationErased', organisationId });
  t.equal(last?.position, await store.lastPositionOf(organisationId));
  const { rows } = await pool.query('SELECT DISTINCT organisation_id AS id FROM data_keys');
  t.strictSame(rows, [{ id: kept }]);
  t.strictSame(await ending.unended([organisationId, kept]), [kept]);
});

test('destroys keys from a backup for an organisation unknown to the log', async (t) => {
  const { store, pool } = await createTestStore(t);
  const ending = createOrganisationEnding(pool);
  const organisationId = testDeps.newId() as OrganisationId;
  await store.createKeys(organisationId);
  t.strictSame(await ending.unended([organisationId]), [organisationId]);
  await ending.destroyKeys(organisationId);
  t.strictSame(await ending.unended([organisationId]), []);
  t.equal(await store.index(organisationId, 'x'), null);
  await t.rejects(store.append([workspaceOf(organisationId)], meta), OrganisationShut);
});

test('a process drops the cached keys of an ended organisation', async (t) => {
  const { store, pool, masterKey } = await createTestStore(t);
  const organisationId = await open(store, 'to be forgotten');
  const keyring = createKeyring(pool, masterKey, 50);
  t.ok(await keyring.find(organisationId));
  const ending = createOrganisationEnding(pool);
  await ending.end(lastOf(organisationId, 1), meta);
  await until(
    'the cached keys are dropped',
    async () => (await keyring.find(organisationId)) === null,
  );
  t.equal(await keyring.find(organisationId), null);
});
