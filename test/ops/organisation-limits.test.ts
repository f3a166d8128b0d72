import { test } from 'tap';
import { hostedDatabase } from '../support/hosted-database.ts';
import { ops, opsJson } from '../support/operator.ts';

test("an operator can limit the bytes of an organisation's files", async (t) => {
  const { env } = await hostedDatabase(t);
  const open = ['organisation', 'create', '--name', 'A', '--plan', 'professional'];
  const { organisationId = '' } = await opsJson(t, env, ...open, '--storage-allowance', '5GB');
  const show = await opsJson(t, env, 'organisation', 'show', organisationId);
  t.match(show, { storageAllowance: 5_000_000_000, storedBytes: 0, storedFiles: 0 });
  const limit = (allowance: string) =>
    ops(t, env, 'organisation', 'limits', organisationId, '--storage-allowance', allowance);
  for (const [given, shown] of [
    ['2MiB', '2097152'],
    ['unlimited', 'unlimited'],
    ['default', 'default'],
    ['0', '0'],
  ] as const) {
    const { stdout } = await limit(given);
    t.match(stdout, new RegExp(`storage allowance, in bytes +${shown}\n`), given);
  }
  t.match(await limit('5 GB'), { code: 1, stderr: /such as 500000000, 500MB or 500MiB/ });
  const list = await ops(t, env, 'organisation', 'list');
  t.match(list.stdout, /STORED BYTES {2}STORAGE ALLOWANCE {2}NAME\n.* 0 +0 +A\n/);
});

test("an operator can limit an organisation's requests and its number of keys", async (t) => {
  const { env } = await hostedDatabase(t);
  const open = ['organisation', 'create', '--name', 'A', '--plan', 'professional'];
  const { organisationId = '' } = await opsJson(t, env, ...open, '--requests-per-minute', '5');
  const limits = (...options: string[]) =>
    opsJson(t, env, 'organisation', 'limits', organisationId, ...options);
  const ofAll = ['--total-requests-per-minute', '6', '--total-requests-per-day', '70'];
  t.match(await limits(...ofAll, '--keys', '1'), {
    ...{ requestsPerMinute: 5, requestsPerDay: 10_000 },
    ...{ totalRequestsPerMinute: 6, totalRequestsPerDay: 70, maxKeys: 1 },
  });
  const create = ['key', 'create', '--organisation', organisationId, '--scopes', 'documents:read'];
  t.match(await ops(t, env, ...create), { code: 0 });
  await t.test('and the record says who did it', async (t) => {
    const named = { ...env, OPERATOR: 'Jane Roe' };
    await ops(t, named, 'organisation', 'suspend', organisationId);
    await ops(t, { ...env, RECORD_OPERATOR: 'false' }, 'organisation', 'resume', organisationId);
    const mine = await opsJson(t, env, 'actions', '--by', 'Jane Roe');
    t.match(mine, { actions: [{ action: 'OrganisationSuspended', organisationId }] });
    const { stdout } = await ops(t, env, 'actions', '--organisation', organisationId);
    const [heading = '', resumed = '', suspended = ''] = stdout.split('\n');
    t.match(heading, /^AT +EVENT +ORGANISATION +ACTION +SUBJECT +BY +CLIENT$/);
    t.match(resumed, /OrganisationResumed +organisation-\w+ +operator$/);
    t.match(suspended, /OrganisationSuspended +organisation-\w+ +operator Jane Roe$/);
    const wrong = await ops(t, env, 'actions', '--address', 'nonsense');
    t.match(wrong, { code: 1, stderr: /must be an IPv4 or IPv6 address/ });
  });
  t.match(await ops(t, env, ...create), {
    ...{ code: 1, stdout: '' },
    stderr: /has 1 API key .*: use `ops key revoke KEY`, .* `ops organisation limits ID --keys N`/,
  });
  t.match(await limits('--total-requests-per-minute', 'default', '--keys', 'default'), {
    ...{ totalRequestsPerMinute: 50, totalRequestsPerDay: 70, maxKeys: 100 },
  });
});
