import { test } from 'tap';
import { decisionList } from '../../../src/http/runs/run-schema.ts';
import { callsOf, joinRunService } from '../../support/run-service.ts';

const hash = 'ab'.repeat(32);
const proofId = '01M7XT7V10RJ1CFD26ZBSKQXP6';
const decision = (subject: string, action: string, more = {}) => ({ subject, action, ...more });

test('finds decisions across runs by every parameter, each with its run', async (t) => {
  const { post, get, workspace } = await joinRunService();
  const first = {
    ...{ runId: 'one', workspace, mode: 'interactive', objective: 'o' },
    finishedAt: '2026-01-01T00:00:00Z',
    decisions: [decision('a', 'protect', { fileHash: hash }), decision('b', 'skip')],
  };
  const second = {
    ...{ runId: 'two', mode: 'unattended', finishedAt: '2026-01-02T00:00:00Z' },
    decisions: [
      decision('c', 'protect', { proofId, free: { x: [1] } }),
      decision('d', 'protect', { proofId, fileHash: hash }),
      decision('e', '', { fileHash: 'AB:01', proofId: '#7' }),
    ],
  };
  for (const run of [first, second, { runId: 'three' }]) await post(run);
  const rows: [string, string][] = [
    ['', 'cdeab'],
    ['limit=2', 'cd'],
    ['limit=2&page=2', 'ea'],
    ['limit=2&page=3', 'b'],
    ['limit=2&page=4', ''],
    ['limit=100&page=1000000000', ''],
    ['runId=one', 'ab'],
    ['runId=three', ''],
    ['runId=none', ''],
    [`workspace=${workspace}`, 'ab'],
    ['mode=unattended', 'cde'],
    ['objective=o', 'ab'],
    ['action=protect', 'cda'],
    ['action=protect&limit=2&page=2', 'a'],
    ['action=Protect', ''],
    ['action=', 'cdeab'],
    [`fileHash=${hash}`, 'da'],
    [`proofId=${proofId}`, 'cd'],
    ['fileHash=AB:01', 'e'],
    ['proofId=%237', 'e'],
    ['proofId=x', ''],
    ['from=2026-01-02T00:00:00Z', 'cde'],
    ['to=2026-01-02T00:00:00Z', 'ab'],
    ['action=protect&to=2026-01-02T00:00:00Z', 'a'],
    [`action=protect&fileHash=${hash}&proofId=${proofId}`, 'd'],
    [`action=protect&fileHash=${hash}&limit=1&page=2`, 'a'],
    [`action=skip&fileHash=${hash}`, ''],
    ['unknown=1', 'cdeab'],
  ];
  for (const [query, expected] of rows) {
    const { status, body } = await get(`/agent/decisions?${query}`);
    t.equal(status, 200, query);
    t.equal(body.data.map(({ subject }: { subject: string }) => subject).join(''), expected, query);
    t.ok(decisionList.strict().safeParse(body).success);
  }
  const { meta, data } = (await get('/agent/decisions?limit=2&page=2')).body;
  t.strictSame(meta, { page: 2, limit: 2, total: 5, totalPages: 3 });
  t.strictSame(data, [
    { ...second.decisions[2], runId: 'two' },
    { ...first.decisions[0], runId: 'one' },
  ]);
  const [free] = (await get(`/agent/decisions?proofId=${proofId}`)).body.data;
  t.strictSame(free, { ...second.decisions[0], runId: 'two' });
});

test('a caller immediately sees its own reports', async (t) => {
  const { post, get, read } = await joinRunService();
  for (let n = 1; n <= 10; n += 1) {
    const runId = `${n}`;
    const { data } = (await post({ runId, decisions: [decision(runId, 'a')] })).body;
    const [runs, decisions] = await Promise.all([get('/agent/runs'), get('/agent/decisions')]);
    t.strictSame(runs.body.data[0], data);
    t.match(decisions.body, { data: [{ runId, subject: runId }], meta: { total: n } });
    t.match((await read(runId)).body.data, data);
  }
});

test("organisations neither see nor block each other's runs", async (t) => {
  const { post, get, read, service, workspace } = await joinRunService();
  const stranger = await service.openOrganisation();
  const theirs = callsOf(service, stranger.key);
  const run = (objective: string) => ({
    ...{ runId: 'same', objective, finishedAt: '2026-01-01T00:00:00Z', mode: 'unattended' },
    decisions: [decision(objective, 'protect', { fileHash: hash, proofId })],
  });
  t.equal((await post({ ...run('mine'), workspace })).status, 201);
  t.match(await theirs.read('same'), { status: 404, body: { code: 'RUN_NOT_FOUND' } });
  const absent = (await theirs.read('never')).body.message;
  t.equal((await theirs.read('same')).body.message, absent, 'as if none existed');
  t.equal((await theirs.post(run('theirs'))).status, 201);
  const queries = ['', 'runId=same', 'mode=unattended', 'action=protect', `fileHash=${hash}`];
  queries.push(
    `proofId=${proofId}`,
    'from=2026-01-01T00:00:00Z',
    `action=protect&proofId=${proofId}`,
  );
  for (const query of queries) {
    for (const [calls, own] of [
      [{ get }, 'mine'],
      [theirs, 'theirs'],
    ] as const) {
      const { body } = await calls.get(`/agent/decisions?${query}`);
      t.match(body, { data: [{ subject: own }], meta: { total: 1 } }, query);
      t.equal(body.data.length, 1);
    }
  }
  t.match((await get('/agent/runs')).body, { data: [{ objective: 'mine' }], meta: { total: 1 } });
  t.match((await read('same')).body.data, { objective: 'mine', decisions: [{ subject: 'mine' }] });
  t.match((await theirs.get('/agent/runs')).body.meta, { total: 1 });
  t.match((await theirs.get('/agent/decisions?objective=mine')).body.meta, { total: 0 });
});
