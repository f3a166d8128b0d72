import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Test, test } from 'tap';
import { findKeyAccess } from '../../projections/access/query.ts';
import { projections } from '../../projections/registry.ts';
import { listWorkspaces } from '../../projections/workspaces/query.ts';
import { hashApiKey, isWellFormedApiKey } from '../../src/domain/key/api-key.ts';
import { scopes } from '../../src/domain/key/scope.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { acquireDataDirLock } from '../../src/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { prepareProjection, runProjector } from '../../src/subscriptions/projector.ts';
import { openTestStore } from '../support/event-store.ts';
import { hostedDatabase } from '../support/hosted-database.ts';
import { compileCache } from '../support/run.ts';
import { asMajorVersion } from '../support/versioned-postgres.ts';

const root = resolve(import.meta.dirname, '../..');

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as an operator does, with only these variables set. */
async function ops(env: Record<string, string>, ...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join(root, 'ops/cli.ts'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** The object that `--json` printed: one, on one line, and nothing on stderr. */
function json(t: Test, outcome: Outcome): Record<string, unknown> {
  t.match(outcome, { code: 0, stderr: '' });
  t.match(outcome.stdout, /^\{.*\}\n$/);
  return JSON.parse(outcome.stdout);
}

test('what the commands make works the moment they return, and lists show it', async (t) => {
  const { url, masterKey, env } = await hostedDatabase(t);
  const { organisationId } = json(
    t,
    await ops(env, 'organisation', 'create', '--name', 'Ärger', '--plan', 'professional', '--json'),
  ) as { organisationId: OrganisationId };
  const workspace = json(
    t,
    await ops(
      env,
      'workspace',
      'create',
      '--organisation',
      organisationId,
      '--name',
      'α',
      '--json',
    ),
  );
  t.strictSame(Object.keys(workspace), ['_id', 'name']);
  const made = json(
    t,
    await ops(
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
  t.strictSame(await listWorkspaces(db, organisationId), [workspace]);
  t.match(await store.readLog(0, 1), [{ type: 'LogOpened' }]);

  const workspaces = await ops(
    env,
    'workspace',
    'list',
    '--organisation',
    organisationId,
    '--json',
  );
  t.strictSame(json(t, workspaces), { workspaces: [workspace] });
  const keys = await ops(env, 'key', 'list', '--organisation', organisationId, '--json');
  t.match(json(t, keys), { keys: [{ keyId: made.keyId, agent: true, revoked: false }] });
  const text = await ops(env, 'key', 'list', '--organisation', organisationId);
  t.match(text.stdout, made.key.slice(0, 13));
  for (const { stdout } of [keys, text]) t.notOk(stdout.includes(made.key.slice(0, 20)));

  t.strictSame(json(t, await ops(env, 'key', 'revoke', made.keyId, '--json')), {
    keyId: made.keyId,
    revoked: true,
  });
  t.match(await findKeyAccess(db, hashApiKey(made.key)), { revoked: true });
});

test('the standing of an organisation is changed and shown', async (t) => {
  const { env } = await hostedDatabase(t);
  const { organisationId } = json(
    t,
    await ops(
      env,
      ...['organisation', 'create', '--name', 'Bell \u0007 & Co', '--plan', 'free', '--json'],
      ...['--upload-allowance', '10', '--requests-per-minute', '5', '--requests-per-day', '50'],
    ),
  ) as { organisationId: string };
  const change = async (...args: string[]) =>
    json(t, await ops(env, 'organisation', ...args, '--json'));
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
  t.match(await change('suspend', organisationId), { suspended: true }, 'again: no matter');
  t.match(await change('resume', organisationId), { suspended: false });
  t.match(await change('api-access', organisationId, 'off'), { apiAccess: false });
  t.match(await change('allowance', organisationId, '7'), { uploadAllowance: 7 });
  t.match(await change('allowance', organisationId, 'unlimited'), { uploadAllowance: null });
  t.match(await change('limits', organisationId, '--requests-per-day', '77'), {
    ...{ requestsPerMinute: 5, requestsPerDay: 77 },
    ...{ totalRequestsPerMinute: 50, totalRequestsPerDay: 770, maxKeys: 100 },
  });
  t.match(await change('list'), { organisations: [{ organisationId, plan: 'enterprise' }] });
  const list = await ops(env, 'organisation', 'list');
  t.match(list.stdout, 'Bell \\u{7} & Co', 'nothing reaches the terminal that it would act upon');
});

test('mistakes end with exit code 1 and say on stderr what to do', async (t) => {
  const { env } = await hostedDatabase(t);
  const { organisationId } = json(
    t,
    await ops(env, 'organisation', 'create', '--name', 'A', '--plan', 'professional', '--json'),
  ) as { organisationId: string };
  const absent = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const key = ['key', 'create', '--organisation', organisationId];
  const seed = env.XRPL_TESTNET_ACCOUNTS;
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
    [{}, ['organisation', 'api-access', organisationId, 'maybe'], /"on" or "off"/],
    [
      {},
      [...key, '--scopes', 'documents:write,webhooks:manage', '--agent'],
      /agent key never carr/,
    ],
    [
      {},
      [...key, '--scopes', 'api-keys:manage', '--agent', '--name', 'sweeper'],
      /agent key never carries api-keys:manage/,
    ],
    [
      {},
      [...key, '--agent', '--scopes', scopes.join(',')],
      /agent key never carries webhooks:manage or api-keys:manage/,
    ],
    [{}, [...key, '--scopes', 'documents:erase'], /unknown "documents:erase"/],
    [{}, [...key, '--scopes', 'documents:read', '--expires-at', '2001-01-01T00:00:00Z'], /future/],
    [{}, ['organisation', 'destroy'], /unknown command/],
    [{ PORT: 'x', LOG_LEVEL: 'y' }, ['organisation', 'list'], /PORT: .*\n.*LOG_LEVEL: /],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, ['organisation', 'list'], /cannot be reached/],
    [
      { MASTER_KEY: randomBytes(32).toString('base64') },
      ['organisation', 'create', '--name', 'B', '--plan', 'free'],
      /MASTER_KEY does not open/,
    ],
  ];
  for (const [extra, args, message] of cases) {
    const outcome = await ops({ ...env, ...extra }, ...args, '--json');
    t.match(outcome, { code: 1, stdout: '', stderr: message }, args.join(' '));
    t.notMatch(outcome.stderr, /\n\s+at /, 'no stack');
    t.notOk(outcome.stderr.includes(seed) || outcome.stderr.includes(env.MASTER_KEY));
  }
  t.match(await ops({}, '--help'), { code: 0, stdout: /organisation.*\n.*workspace.*\n.*key/ });
  t.match(await ops({}, 'key', 'create', '--help'), { code: 0, stdout: /documents:write/ });
});

test('a database server of a version that is not supported is refused, or warned of', async (t) => {
  const { url, env } = await hostedDatabase(t);
  const list = async (major: number) =>
    ops({ ...env, DATABASE_URL: await asMajorVersion(t, url, major) }, 'organisation', 'list');
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

test('a key made beside a running projector works as well', async (t) => {
  const { url, masterKey, env } = await hostedDatabase(t);
  json(t, await ops(env, 'organisation', 'list', '--json'));
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
  const { organisationId } = json(t, await ops(env, ...organisation)) as { organisationId: string };
  const args = ['key', 'create', '--organisation', organisationId, '--scopes', 'documents:read'];
  const { key } = json(t, await ops(env, ...args, '--json')) as { key: string };
  t.match(await findKeyAccess(db, hashApiKey(key)), { organisationId, revoked: false });
});

test('where a projection is stuck a key is told, with exit code 1, and the list shows it', async (t) => {
  const { url, masterKey, env } = await hostedDatabase(t);
  const create = ['organisation', 'create', '--name', 'A', '--plan', 'free', '--json'];
  const { organisationId } = json(t, await ops(env, ...create)) as { organisationId: string };
  const { pool, db } = openTestStore(t, url, { masterKey });
  for (const projection of projections) await prepareProjection(db, projection);
  const holder = await pool.connect();
  holder.on('error', () => {});
  await holder.query('SET idle_in_transaction_session_timeout = 0; BEGIN');
  await holder.query(`SELECT * FROM checkpoints FOR UPDATE`);
  const args = ['key', 'create', '--organisation', organisationId, '--scopes', 'documents:read'];
  const outcome = await ops(env, ...args, '--json');
  const list = await ops(env, 'projection', 'list', '--json');
  const shown = await ops(env, 'projection', 'list');
  holder.release(true);
  t.match(outcome, { code: 1, stderr: /it is recorded, but not yet visible/ });
  t.ok(isWellFormedApiKey(JSON.parse(outcome.stdout).key));
  const { projections: listed } = json(t, list) as { projections: { lagEvents: number }[] };
  t.equal(listed.length, projections.length);
  t.match(listed[0], { name: 'access', build: 1, version: 3, state: /^(live|behind)$/ });
  t.ok((listed[0]?.lagEvents ?? 0) > 0, 'what lags is told, and not waited for');
  t.match(shown, { code: 0, stderr: '' });
  t.match(
    shown.stdout,
    /^NAME +VERSION +BUILD +STATE +POSITION +EVENTS BEHIND +SECONDS\naccess +3 /,
  );
});

test('embedded: the commands start PostgreSQL themselves, or use the one that runs', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-ops-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'var');
  t.teardown(async () => {
    const text = await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => '{}');
    const { cluster = 'postgres' } = JSON.parse(text) as { cluster?: string };
    if (cluster.startsWith('/')) await rm(dirname(cluster), { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });
  const env = { DATA_DIR: dataDir };
  const create = ['organisation', 'create', '--name', 'A', '--plan', 'free', '--json'];
  const mistyped = await ops(env, 'organisation', 'list', '--json');
  t.match(mistyped, { code: 1, stdout: '', stderr: /DATA_DIR .* does not exist/ });
  t.notOk(existsSync(dataDir), 'a mistyped folder is not made');
  await mkdir(dataDir, { mode: 0o700 });
  // Nothing runs: several at once take turns.
  const made = await Promise.all([1, 2].map(() => ops(env, ...create)));
  for (const outcome of made) json(t, outcome);
  const list = json(t, await ops(env, 'organisation', 'list', '--json'));
  t.equal((list.organisations as unknown[]).length, 2);

  // As the service would: it holds the lock, and its PostgreSQL runs on.
  const lock = await acquireDataDirLock(dataDir);
  const starting = startEmbeddedPostgres({ dataDir });
  const early = await ops(env, 'organisation', 'list', '--json');
  t.strictSame(json(t, early), list, 'one that is starting is waited for');
  const postgres = await starting;
  let ended = false;
  void postgres.ended.then(() => {
    ended = true;
  });
  json(t, await ops(env, ...create));
  t.notOk(ended, 'the service keeps its PostgreSQL');
  await postgres.stop();
  await lock.release();
  const after = json(t, await ops(env, 'organisation', 'list', '--json'));
  t.equal((after.organisations as unknown[]).length, 3);
});
