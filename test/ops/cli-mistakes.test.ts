import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { projections } from '../../projections/registry.ts';
import { isWellFormedApiKey } from '../../src/domain/key/api-key.ts';
import { scopes } from '../../src/domain/key/scope.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { openTestStore } from '../support/event-store.ts';
import { hostedDatabase } from '../support/hosted-database.ts';
import { jsonOf, ops } from '../support/operator.ts';
import { asMajorVersion } from '../support/versioned-postgres.ts';

test('a mistake ends with exit code 1 and a useful message on stderr', async (t) => {
  const { env } = await hostedDatabase(t);
  const { organisationId } = jsonOf(
    t,
    await ops(t, env, 'organisation', 'create', '--name', 'A', '--plan', 'professional', '--json'),
  ) as { organisationId: string };
  const absent = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const key = ['key', 'create', '--organisation', organisationId];
  const seed = env.XRPL_TESTNET_ACCOUNTS;
  const withTls = new URL(env.DATABASE_URL);
  withTls.searchParams.set('sslmode', 'require');
  const cases: readonly [Record<string, string>, readonly string[], RegExp][] = [
    [{}, ['organisation', 'show', absent], /there is no organisation .* `ops organisation list`/],
    [{}, ['workspace', 'list', '--organisation', absent], /there is no organisation/],
    [{}, ['key', 'revoke', absent], /there is no API key/],
    [{}, ['organisation', 'show', 'mine'], /must be an id/],
    [
      {},
      ['organisation', 'create', '--name', 'x', '--plan', 'gold'],
      /free, professional, enterpr/,
    ],
    [{}, ['organisation', 'create', '--name', '', '--plan', 'free'], /name: must have 1 to 255/],
    [{}, ['organisation', 'create', '--plan', 'free'], /--name <name>/],
    [{}, ['organisation', 'limits', organisationId], /--requests-per-minute/],
    [{}, ['organisation', 'limits', organisationId, '--keys', 'many'], /whole number or "default"/],
    [{}, ['actions', '--limit', '0'], /--limit .* It must be a whole number of at least 1/],
    [{}, ['organisation', 'api-access', organisationId, 'maybe'], /"on" or "off"/],
    [
      {},
      [...key, '--scopes', 'documents:write,webhooks:manage', '--agent'],
      /agent key must not have/,
    ],
    [
      {},
      [...key, '--scopes', 'api-keys:manage', '--agent', '--name', 'sweeper'],
      /agent key must not have api-keys:manage/,
    ],
    [
      {},
      [...key, '--agent', '--scopes', scopes.join(',')],
      /agent key must not have webhooks:manage or api-keys:manage/,
    ],
    [{}, [...key, '--scopes', 'documents:erase'], /"documents:erase" is not a scope/],
    [{}, [...key, '--scopes', 'documents:read', '--expires-at', '2001-01-01T00:00:00Z'], /future/],
    [{}, ['organisation', 'destroy'], /unknown command/],
    [{ PORT: 'x', LOG_LEVEL: 'y' }, ['organisation', 'list'], /PORT: .*\n.*LOG_LEVEL: /],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, ['organisation', 'list'], /cannot be reached/],
    [{ DATABASE_URL: withTls.href }, ['organisation', 'list'], /^error: The server does not supp/m],
    [
      { MASTER_KEY: randomBytes(32).toString('base64') },
      ['organisation', 'create', '--name', 'B', '--plan', 'free'],
      /MASTER_KEY cannot decrypt/,
    ],
  ];
  for (const [extra, args, message] of cases) {
    const outcome = await ops(t, { ...env, ...extra }, ...args, '--json');
    t.match(outcome, { code: 1, stdout: '', stderr: message }, args.join(' '));
    t.notMatch(outcome.stderr, /\n\s+at /, 'no stack trace');
    t.notOk(outcome.stderr.includes(seed) || outcome.stderr.includes(env.MASTER_KEY));
  }
  t.match(await ops(t, {}, '--help'), {
    code: 0,
    stdout: /organisation.*\n.*workspace.*\n.*owner.*\n.*key/,
  });
  t.match(await ops(t, {}, 'key', 'create', '--help'), { code: 0, stdout: /documents:write/ });
});

test('a database server that is too old is refused, one that is untested gets a warning', async (t) => {
  const { url, env } = await hostedDatabase(t);
  const list = async (major: number) =>
    ops(t, { ...env, DATABASE_URL: await asMajorVersion(t, url, major) }, 'organisation', 'list');
  const [old, untested] = await Promise.all([list(14), list(19)]);
  t.match(old, { code: 1, stdout: '' });
  t.match(
    old.stderr,
    /^error: the database runs on PostgreSQL 14\.\d+, and .* 15 to 18: upgrade .*\n$/,
  );
  t.match(untested, { code: 0 });
  t.match(
    untested.stderr,
    /^warning: the database runs on PostgreSQL 19\.\d+, which is untested: .*\n$/,
  );
});

test('when projections are stuck, a new key is printed with exit code 1, and the list shows the lag', async (t) => {
  const { url, masterKey, env } = await hostedDatabase(t);
  const create = ['organisation', 'create', '--name', 'A', '--plan', 'free', '--json'];
  const { organisationId } = jsonOf(t, await ops(t, env, ...create)) as { organisationId: string };
  const { pool, db } = openTestStore(t, url, { masterKey });
  for (const projection of projections) await prepareProjection(db, projection);
  const holder = await pool.connect();
  holder.on('error', () => {});
  await holder.query('SET idle_in_transaction_session_timeout = 0; BEGIN');
  await holder.query(`SELECT * FROM checkpoints FOR UPDATE`);
  const args = ['key', 'create', '--organisation', organisationId, '--scopes', 'documents:read'];
  const outcome = await ops(t, env, ...args, '--json');
  const list = await ops(t, env, 'projection', 'list', '--json');
  const shown = await ops(t, env, 'projection', 'list');
  holder.release(true);
  t.match(outcome, { code: 1, stderr: /recorded, but not yet visible/ });
  t.ok(isWellFormedApiKey(JSON.parse(outcome.stdout).key));
  const { projections: listed } = jsonOf(t, list) as { projections: { lagEvents: number }[] };
  t.equal(listed.length, projections.length);
  t.match(listed[0], { name: 'access', build: 1, version: 5, state: /^(live|behind)$/ });
  t.ok((listed[0]?.lagEvents ?? 0) > 0, 'the lag is shown without waiting');
  t.match(shown, { code: 0, stderr: '' });
  t.match(
    shown.stdout,
    /^NAME +VERSION +BUILD +STATE +POSITION +EVENTS BEHIND +SECONDS\naccess +5 /,
  );
});
