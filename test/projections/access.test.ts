import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { ulid } from 'ulid';
import { listKeys } from '../../projections/access/list-keys.ts';
import { findOrganisation, listOrganisations } from '../../projections/access/query.ts';
import { projections } from '../../projections/registry.ts';
import { queryWorkspaces } from '../../projections/workspaces/query.ts';
import { changePlan } from '../../src/commands/change-plan.ts';
import { changeRequestLimits } from '../../src/commands/change-request-limits.ts';
import { changeUploadAllowance } from '../../src/commands/change-upload-allowance.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { resumeOrganisation } from '../../src/commands/resume-organisation.ts';
import { revokeKey } from '../../src/commands/revoke-key.ts';
import { suspendOrganisation } from '../../src/commands/suspend-organisation.ts';
import { switchApiAccess } from '../../src/commands/switch-api-access.ts';
import { hashApiKey } from '../../src/domain/key/api-key.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestStore, testDeps } from '../support/event-store.ts';
import { findKeyAccess } from '../support/find-key-access.ts';

const meta = { actor: 'operator' } as const;

test('a key is found with its rights, as it and its organisation change', async (t) => {
  const { db, store } = await createTestStore(t);
  const deps = { ...testDeps, store };
  for (const projection of projections) await prepareProjection(db, projection);
  const settle = async () => catchUp({ db, store, projections, position: await store.head() });
  await openLog(deps, meta);

  const organisationId = await openOrganisation(
    deps,
    { name: 'Ärger & Söhne', plan: 'professional' },
    meta,
  );
  const base = {
    organisationId,
    scopes: ['documents:read', 'documents:write'],
    agent: false,
    name: null,
    expiresAt: null,
    requestsPerMinute: null,
    requestsPerDay: null,
    issuedBy: null,
  };
  const plain = await issueKey(deps, base, meta);
  const own = await issueKey(
    deps,
    {
      ...base,
      agent: true,
      name: 'sweeper',
      expiresAt: '2999-01-31T12:00:00+02:00',
      requestsPerMinute: 600,
      requestsPerDay: 5_000_000_000,
    },
    meta,
  );
  await settle();

  const organisation = {
    plan: 'professional',
    apiAccess: true,
    suspended: false,
    hashScheme: 'hmac-sha256-nonce-v3',
  };
  t.strictSame(await findKeyAccess(db, hashApiKey(plain.key)), {
    keyId: plain.keyId,
    organisationId,
    scopes: ['documents:write', 'documents:read'],
    agent: false,
    revoked: false,
    expiresAt: null,
    requestsPerMinute: 60,
    requestsPerDay: 10_000,
    organisation: {
      ...organisation,
      totalRequestsPerMinute: 600,
      // The limit of the other key, which exceeds ten times the ordinary limit.
      totalRequestsPerDay: 5_000_000_000,
    },
  });
  t.match(await findKeyAccess(db, hashApiKey(own.key)), {
    agent: true,
    expiresAt: '2999-01-31T10:00:00.000Z',
    requestsPerMinute: 600,
    requestsPerDay: 5_000_000_000,
  });
  t.equal(await findKeyAccess(db, hashApiKey(`${plain.key}x`)), null);

  await changePlan(store, organisationId, 'free', meta);
  await suspendOrganisation(store, organisationId, meta);
  await switchApiAccess(store, organisationId, false, meta);
  await changeUploadAllowance(store, organisationId, 12, meta);
  await changeRequestLimits(store, organisationId, { perDay: 99 }, meta);
  await revokeKey(store, own.keyId, null, meta);
  await settle();
  t.match(await findKeyAccess(db, hashApiKey(plain.key)), {
    revoked: false,
    requestsPerMinute: 60,
    requestsPerDay: 99,
    organisation: {
      ...{ plan: 'free', apiAccess: false, suspended: true },
      ...{ totalRequestsPerMinute: 600, totalRequestsPerDay: 990 },
    },
  });
  t.match(await findKeyAccess(db, hashApiKey(own.key)), {
    revoked: true,
    requestsPerDay: 5_000_000_000,
  });
  await resumeOrganisation(store, organisationId, meta);
  await changeUploadAllowance(store, organisationId, null, meta);
  await settle();
  t.match(await findOrganisation(db, organisationId), {
    name: 'Ärger & Söhne',
    suspended: false,
    uploadAllowance: null,
    ...{ totalRequestsPerMinute: 600, totalRequestsPerDay: 990, maxKeys: 100 },
  });
  const limits = { totalRequestsPerMinute: 7, totalRequestsPerDay: 8, maxKeys: 9 };
  await changeRequestLimits(store, organisationId, limits, meta);
  await settle();
  t.match(await findOrganisation(db, organisationId), limits);
  t.match((await findKeyAccess(db, hashApiKey(plain.key)))?.organisation, {
    ...{ totalRequestsPerMinute: 7, totalRequestsPerDay: 8 },
  });
  const minted = await issueKey(
    deps,
    { ...base, scopes: ['documents:read'], issuedBy: plain.keyId },
    { keyId: plain.keyId, actor: 'api' },
  );
  await settle();
  const { items: keys } = await listKeys(db, organisationId);
  t.strictSame(
    keys.map(({ keyId, name, revoked, issuedBy }) => [keyId, name, revoked, issuedBy]),
    [
      [plain.keyId, null, false, null],
      [own.keyId, 'sweeper', true, null],
      [minted.keyId, null, false, plain.keyId],
    ],
  );
  t.notMatch(JSON.stringify(keys), plain.key.slice(15));
});

test('lists are in order of creation, and each organisation sees only its own', async (t) => {
  const { db, store } = await createTestStore(t);
  // Descending ids, since the order of creation comes from the log.
  const ids = Array.from({ length: 8 }, () => ulid())
    .sort()
    .reverse();
  const deps = { store, newId: () => ids.shift() ?? ulid(), randomBytes };
  for (const projection of projections) await prepareProjection(db, projection);
  const first = await openOrganisation(deps, { name: 'first', plan: 'free' }, meta);
  const second = await openOrganisation(deps, { name: 'second', plan: 'free' }, meta);
  for (const name of ['a', 'b', 'c'])
    await createWorkspace(deps, { organisationId: first, name }, meta);
  await createWorkspace(deps, { organisationId: second, name: 'other' }, meta);
  await catchUp({ db, store, projections, position: await store.head() });
  t.strictSame(
    (await queryWorkspaces(db, first)).map(({ name }) => name),
    ['a', 'b', 'c'],
  );
  t.strictSame(
    (await queryWorkspaces(db, second)).map(({ name }) => name),
    ['other'],
  );
  t.strictSame(
    (await listOrganisations(db)).map(({ name }) => name),
    ['first', 'second'],
  );
});

test('a minted key never exceeds its issuer, and only live operator keys raise the total', async (t) => {
  const { db, store } = await createTestStore(t);
  const deps = { ...testDeps, store };
  for (const projection of projections) await prepareProjection(db, projection);
  const organisationId = await openOrganisation(deps, { name: 'o', plan: 'free' }, meta);
  const base = {
    ...{ organisationId, scopes: ['documents:read'], agent: false, name: null, expiresAt: null },
    ...{ requestsPerMinute: null, requestsPerDay: null, issuedBy: null },
  };
  const mint = (issuedBy: typeof plain.keyId, requestsPerMinute: number) =>
    issueKey(deps, { ...base, issuedBy, requestsPerMinute }, { keyId: issuedBy, actor: 'api' });
  const plain = await issueKey(deps, base, meta);
  const expiresAt = '2999-01-31T10:00:00.000Z';
  const high = await issueKey(deps, { ...base, expiresAt, requestsPerMinute: 1000 }, meta);
  const child = await mint(plain.keyId, 60);
  const grandchild = await mint(child.keyId, 40);
  const ofHigh = await mint(high.keyId, 900);
  const settle = async () => catchUp({ db, store, projections, position: await store.head() });
  const limits = async (now = new Date()) => {
    const found = [plain, child, grandchild, ofHigh].map(({ key }) =>
      findKeyAccess(db, hashApiKey(key), now),
    );
    const all = await Promise.all(found);
    const organisation = await findOrganisation(db, organisationId, now);
    t.equal(all[0]?.organisation.totalRequestsPerMinute, organisation?.totalRequestsPerMinute);
    return [
      ...all.map((access) => access?.requestsPerMinute),
      organisation?.totalRequestsPerMinute,
    ];
  };
  await settle();
  t.strictSame(await limits(), [60, 60, 40, 900, 1000]);
  await changeRequestLimits(store, organisationId, { perMinute: 5 }, meta);
  await settle();
  t.strictSame(await limits(), [5, 5, 5, 900, 1000], "lowered with the organisation's limits");
  t.strictSame(await limits(new Date(expiresAt)), [5, 5, 5, 900, 50], 'after the high one expired');
  await changeRequestLimits(store, organisationId, { perMinute: 50 }, meta);
  await revokeKey(store, high.keyId, null, meta);
  await settle();
  t.strictSame(await limits(), [50, 50, 40, 900, 500], 'after the high one was revoked');
});
