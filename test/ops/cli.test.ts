import { test } from 'tap';
import { projections } from '../../projections/registry.ts';
import { queryWorkspaces } from '../../projections/workspaces/query.ts';
import { hashApiKey, isWellFormedApiKey } from '../../src/domain/key/api-key.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { runProjector } from '../../src/subscriptions/projector.ts';
import { openTestStore } from '../support/event-store.ts';
import { findKeyAccess } from '../support/find-key-access.ts';
import { hostedDatabase } from '../support/hosted-database.ts';
import { jsonOf, ops } from '../support/operator.ts';

test('new organisations, workspaces and keys work and are listed as soon as the commands return', async (t) => {
  const { url, masterKey, env } = await hostedDatabase(t);
  const { organisationId } = jsonOf(
    t,
    await ops(
      t,
      env,
      ...['organisation', 'create', '--name', 'Ärger', '--plan', 'professional', '--json'],
    ),
  ) as { organisationId: OrganisationId };
  const workspace = jsonOf(
    t,
    await ops(
      t,
      env,
      ...['workspace', 'create', '--organisation', organisationId, '--name', 'α', '--json'],
    ),
  );
  t.strictSame(Object.keys(workspace), ['_id', 'name']);
  const made = jsonOf(
    t,
    await ops(
      t,
      env,
      ...['key', 'create', '--organisation', organisationId, '--scopes', 'documents:write'],
      ...['--agent', '--name', 'sweeper', '--requests-per-minute', '600', '--json'],
      ...['--expires-at', '2999-12-31T00:00:00+01:00'],
    ),
  ) as { keyId: string; key: string };
  t.strictSame(Object.keys(made), ['keyId', 'key']);
  t.ok(isWellFormedApiKey(made.key));

  const { db, store } = openTestStore(t, url, { masterKey });
  t.match(await findKeyAccess(db, hashApiKey(made.key)), {
    keyId: made.keyId,
    organisationId,
    scopes: ['documents:write'],
    agent: true,
    expiresAt: '2999-12-30T23:00:00.000Z',
    requestsPerMinute: 600,
    requestsPerDay: 10_000,
  });
  t.strictSame(await queryWorkspaces(db, organisationId), [workspace]);
  t.match(await store.readLog(0, 1), [{ type: 'LogOpened' }]);

  const workspaces = await ops(
    t,
    env,
    ...['workspace', 'list', '--organisation', organisationId, '--json'],
  );
  t.strictSame(jsonOf(t, workspaces), { workspaces: [workspace] });
  const keys = await ops(t, env, 'key', 'list', '--organisation', organisationId, '--json');
  t.match(jsonOf(t, keys), { keys: [{ keyId: made.keyId, agent: true, revoked: false }] });
  const text = await ops(t, env, 'key', 'list', '--organisation', organisationId);
  t.match(text.stdout, made.key.slice(0, 13));
  for (const { stdout } of [keys, text]) t.notOk(stdout.includes(made.key.slice(0, 20)));

  t.strictSame(jsonOf(t, await ops(t, env, 'key', 'revoke', made.keyId, '--json')), {
    keyId: made.keyId,
    revoked: true,
  });
  t.match(await findKeyAccess(db, hashApiKey(made.key)), { revoked: true });
});

test('plan, limits and suspension of an organisation can be changed and shown', async (t) => {
  const { env } = await hostedDatabase(t);
  const { organisationId } = jsonOf(
    t,
    await ops(
      t,
      env,
      ...['organisation', 'create', '--name', 'Bell \u0007 & Co', '--plan', 'free', '--json'],
      ...['--upload-allowance', '10', '--requests-per-minute', '5', '--requests-per-day', '50'],
    ),
  ) as { organisationId: string };
  const change = async (...args: string[]) =>
    jsonOf(t, await ops(t, env, 'organisation', ...args, '--json'));
  t.match(await change('show', organisationId), {
    organisationId,
    name: 'Bell \u0007 & Co',
    plan: 'free',
    apiAccess: true,
    suspended: false,
    uploadAllowance: 10,
    requestsPerMinute: 5,
    requestsPerDay: 50,
  });
  t.match(await change('plan', organisationId, 'enterprise'), { plan: 'enterprise' });
  t.match(await change('suspend', organisationId), { suspended: true });
  t.match(
    await change('suspend', organisationId),
    { suspended: true },
    'a repetition changes nothing',
  );
  t.match(await change('resume', organisationId), { suspended: false });
  t.match(await change('api-access', organisationId, 'off'), { apiAccess: false });
  t.match(await change('allowance', organisationId, '7'), { uploadAllowance: 7 });
  t.match(await change('allowance', organisationId, 'unlimited'), { uploadAllowance: null });
  t.match(await change('limits', organisationId, '--requests-per-day', '77'), {
    ...{ requestsPerMinute: 5, requestsPerDay: 77 },
    ...{ totalRequestsPerMinute: 50, totalRequestsPerDay: 770, maxKeys: 100 },
  });
  t.match(await change('list'), { organisations: [{ organisationId, plan: 'enterprise' }] });
  const list = await ops(t, env, 'organisation', 'list');
  t.match(list.stdout, 'Bell \\u{7} & Co', 'no control character reaches the terminal');
});

test('a key works at once while projectors run', async (t) => {
  const { url, masterKey, env } = await hostedDatabase(t);
  jsonOf(t, await ops(t, env, 'organisation', 'list', '--json'));
  const { db, store } = openTestStore(t, url, { masterKey });
  const signal = openLogSignal(url);
  const running = projections.map((projection) =>
    runProjector({ db, store, signal, projection }).subscribe(),
  );
  t.teardown(async () => {
    for (const subscription of running) subscription.unsubscribe();
    await signal.close();
  });
  const organisation = ['organisation', 'create', '--name', 'A', '--plan', 'free', '--json'];
  const { organisationId } = jsonOf(t, await ops(t, env, ...organisation)) as {
    organisationId: string;
  };
  const args = ['key', 'create', '--organisation', organisationId, '--scopes', 'documents:read'];
  const { key } = jsonOf(t, await ops(t, env, ...args, '--json')) as { key: string };
  t.match(await findKeyAccess(db, hashApiKey(key)), { organisationId, revoked: false });
});
