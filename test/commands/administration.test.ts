import { test } from 'tap';
import { changePlan } from '../../src/commands/change-plan.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { revokeKey } from '../../src/commands/revoke-key.ts';
import { suspendOrganisation } from '../../src/commands/suspend-organisation.ts';
import { isWellFormedApiKey } from '../../src/domain/key/api-key.ts';
import { streams } from '../../src/domain/streams.ts';
import type { KeyId, OrganisationId } from '../../src/domain/ulid.ts';
import { createTestStore, joinTestStore, openTestStore, testDeps } from '../support/event-store.ts';

const meta = { actor: 'operator' } as const;
const absent = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const keyOrder = (organisationId: OrganisationId) => ({
  ...{ organisationId, name: null, scopes: ['documents:read'], agent: false, expiresAt: null },
  ...{ requestsPerMinute: null, requestsPerDay: null, issuedBy: null },
});

test('refuses orders for an organisation that was never opened', async (t) => {
  const { store } = await createTestStore(t);
  const deps = { ...testDeps, store };
  const organisationId = absent as OrganisationId;
  const refusal = { name: 'Refusal', code: 'ORGANISATION_NOT_FOUND' };
  await t.rejects(changePlan(store, organisationId, 'free', meta), refusal);
  await t.rejects(suspendOrganisation(store, organisationId, meta), refusal);
  await t.rejects(createWorkspace(deps, { organisationId, name: 'a' }, meta), refusal);
  await t.rejects(issueKey(deps, keyOrder(organisationId), meta), refusal);
  t.equal(await store.head(), 0);
});

test('a refused order appends no event and creates no key', async (t) => {
  const { store, pool } = await createTestStore(t);
  const deps = { ...testDeps, store };
  const bad = openOrganisation(deps, { name: '', plan: 'free' }, meta);
  await t.rejects(bad, { code: 'INVALID_REQUEST' });
  t.equal(await store.head(), 0);
  t.equal((await pool.query('SELECT FROM data_keys')).rowCount, 0, 'no data keys either');
});

test('the same order given many times at once is recorded once', async (t) => {
  const first = await createTestStore(t);
  const second = openTestStore(t, first.url);
  const { store } = first;
  const deps = { ...testDeps, store };
  const organisationId = await openOrganisation(deps, { name: 'a', plan: 'free' }, meta);
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      suspendOrganisation(n % 2 ? store : second.store, organisationId, meta),
    ),
  );
  t.match(await store.readStream(streams.organisation(organisationId)), [
    { type: 'OrganisationOpened', meta },
    { type: 'OrganisationSuspended', meta },
  ]);
  t.equal(await store.head(), 2);

  const { keyId } = await issueKey(deps, keyOrder(organisationId), meta);
  await Promise.all([1, 2, 3, 4].map(() => revokeKey(store, keyId, organisationId, meta)));
  t.equal((await store.readStream(streams.key(keyId))).length, 2);
});

test('different orders given at once all take effect', async (t) => {
  const { store } = await joinTestStore();
  const deps = { ...testDeps, store };
  const organisationId = await openOrganisation(deps, { name: 'a', plan: 'free' }, meta);
  await Promise.all([
    changePlan(store, organisationId, 'professional', meta),
    suspendOrganisation(store, organisationId, meta),
  ]);
  const events = await store.readStream(streams.organisation(organisationId));
  t.strictSame(events.map(({ type }) => type).sort(), [
    'OrganisationOpened',
    'OrganisationSuspended',
    'PlanChanged',
  ]);
});

test('an API key is shown once and never stored', async (t) => {
  const { store, pool } = await joinTestStore();
  const deps = { ...testDeps, store };
  const organisationId = await openOrganisation(deps, { name: 'a', plan: 'free' }, meta);
  const { keyId, key } = await issueKey(deps, keyOrder(organisationId), meta);
  const other = await issueKey(deps, keyOrder(organisationId), meta);
  t.ok(isWellFormedApiKey(key));
  t.not(key, other.key);
  const decoded = JSON.stringify(await store.readStream(streams.key(keyId)));
  const stored = JSON.stringify((await pool.query('SELECT * FROM events')).rows);
  for (const text of [decoded, stored]) t.notOk(text.includes(key.slice(9, 20)));
});

test('a key of another organisation is refused like a key that does not exist', async (t) => {
  const { store } = await joinTestStore();
  const deps = { ...testDeps, store };
  const owner = await openOrganisation(deps, { name: 'owner', plan: 'free' }, meta);
  const stranger = await openOrganisation(deps, { name: 'stranger', plan: 'free' }, meta);
  const { keyId } = await issueKey(deps, keyOrder(owner), meta);
  const refused = async (id: string, by: OrganisationId | null) => {
    const error = await revokeKey(store, id as KeyId, by, meta).catch((reason: Error) => reason);
    t.match(error, { code: 'API_KEY_NOT_FOUND' });
    return String(error).replace(id, 'ID');
  };
  t.equal(await refused(keyId, stranger), await refused(absent, stranger));
  await refused(absent, null);
  t.equal((await store.readStream(streams.key(keyId))).length, 1);
  await revokeKey(store, keyId, owner, meta);
  t.equal((await store.readStream(streams.key(keyId))).length, 2);
});
