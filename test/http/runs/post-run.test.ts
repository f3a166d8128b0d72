import { test } from 'tap';
import { maxDecisions } from '../../../src/domain/run/decision.ts';
import { runResponse, wholeRunResponse } from '../../../src/http/runs/run-schema.ts';
import { joinRunService, startRunService } from '../../support/run-service.ts';

const absent = {
  ...{ workspace: null, startedAt: null, finishedAt: null, mode: null, objective: null },
  ...{ trigger: null, counts: {}, coverage: {}, connectorsReached: [], connectorsUnreachable: [] },
  ...{ unreadableGroups: [], network: null, noOp: true },
  ...{ decisionsReported: 0, decisionsTruncated: false },
};
const id = '01M7XT7V10RJ1CFD26ZBSKQXP6';

test('a run is recorded as reported, and read back whole', async (t) => {
  const { post, read, workspace } = await joinRunService();
  const run = {
    runId: 'sweep 1',
    workspace,
    startedAt: '2026-03-01T00:00:00.123456+01:00',
    finishedAt: '2026-03-01T00:10Z',
    mode: 'unattended',
    objective: 'contracts „all“ \r\n<b>',
    trigger: '',
    counts: { protected: 2, seen: Number.MAX_SAFE_INTEGER },
    coverage: { share: 0.75, of: ['a', null, { deep: [[]] }], x: 1 },
    connectorsReached: ['drive', 'drive', ''],
    connectorsUnreachable: ['mail 🎉'],
    unreadableGroups: ['e\u0301', '\u00e9'],
    network: 'mainnet',
    noOp: false,
    decisions: [
      {
        ...{ subject: 'a.pdf', action: 'protect', reason: '', fileHash: 'ab'.repeat(32) },
        ...{ proofId: id, documentId: id, confidence: 0.1, at: '2026-03-01T00:05:00Z' },
        free: { nested: { numbers: [1e300, -0.5, 1e-7], text: '\u2028"\\' } },
      },
      { subject: 'b.pdf', action: 'skip', runId: 'sweep 1', toJSON: null },
    ],
  };
  const { decisions, ...listed } = run;
  const recorded = { ...listed, id: 'sweep 1', decisionsReported: 2, decisionsTruncated: false };
  const answer = await post(run);
  t.equal(answer.status, 201);
  t.strictSame(answer.body, { success: true, data: recorded });
  t.strictSame(runResponse.strict().parse(answer.body), answer.body);
  const whole = await read('sweep 1');
  t.equal(whole.status, 200);
  const data = { ...recorded, decisions, documents: [], documentsTotal: 0 };
  t.strictSame(whole.body, { success: true, data });
  t.ok(wholeRunResponse.strict().safeParse(whole.body).success);
});

test('only the id is required, absent fields have defaults, and unknown fields are ignored', async (t) => {
  const { post, read } = await joinRunService();
  t.strictSame((await post({ runId: 'r', unknown: { a: 1 } })).body, {
    success: true,
    data: { id: 'r', runId: 'r', ...absent },
  });
  t.strictSame((await read('r')).body.data.decisions, []);
  const noOps: [object, boolean][] = [
    [{ counts: { protected: 0 } }, true],
    [{ counts: { protected: 1 } }, false],
    [{ counts: { seen: 9 } }, true],
    [{ counts: { protected: 1 }, noOp: true }, true],
    [{ noOp: false }, false],
  ];
  for (const [n, [more, noOp]] of noOps.entries()) {
    t.match((await post({ runId: `${n}`, ...more })).body, { data: { noOp } });
  }
});

test('null means absent', async (t) => {
  const { post, read, get } = await joinRunService();
  const nothing = Object.fromEntries(Object.keys(absent).map((name) => [name, null]));
  const decision = {
    ...{ subject: 's', action: 'a', reason: null, fileHash: null, proofId: null, documentId: null },
    ...{ confidence: null, at: null, runId: null, free: null },
  };
  const first = await post({ ...nothing, runId: 'r', decisions: null });
  t.match(first, { status: 201, body: { data: { runId: 'r', ...absent } } });
  t.strictSame((await post({ runId: 'r' })).body, { ...first.body, alreadyRecorded: true });
  t.equal((await post({ runId: 's', decisions: [decision] })).status, 201);
  t.strictSame((await read('s')).body.data.decisions, [decision]);
  t.strictSame((await get('/agent/decisions')).body.data, [{ ...decision, runId: 's' }]);
});

test('the same run again is 200, any other content is 409', async (t) => {
  const { post, postText, service, workspace, read } = await startRunService(t);
  const run = {
    ...{ runId: 'r', workspace, finishedAt: '2026-01-01T00:00:00Z', counts: { a: 1, b: 2 } },
    decisions: [{ subject: 's', action: 'a', free: { x: 1, y: [1, 2] } }],
  };
  const first = await post(run);
  t.equal(first.status, 201);
  const head = await service.store.head();
  const same = [
    JSON.stringify(run),
    JSON.stringify(run, null, 4),
    JSON.stringify(Object.fromEntries(Object.entries(run).reverse())),
    JSON.stringify({ ...run, unknown: 1, noOp: true, coverage: {}, connectorsReached: [] }),
    JSON.stringify({ ...run, counts: { b: 2, a: 1 } }),
    JSON.stringify(run).replace('"x":1', '"x":1.0').replace('"s"', '"\\u0073"'),
    JSON.stringify({
      ...run,
      decisions: [{ free: { y: [1, 2], x: 1 }, action: 'a', subject: 's' }],
    }),
  ];
  for (const text of same) {
    const again = await postText(text);
    t.equal(again.status, 200, text);
    t.strictSame(again.body, { ...first.body, alreadyRecorded: true });
  }
  const [decision] = run.decisions;
  const others = [
    { runId: 'r' },
    { ...run, workspace: undefined },
    { ...run, finishedAt: '2026-01-01T00:00:00.000Z' },
    { ...run, finishedAt: undefined },
    { ...run, counts: { a: 1 } },
    { ...run, noOp: false },
    { ...run, objective: '' },
    { ...run, decisions: [] },
    { ...run, decisions: [decision, decision] },
    { ...run, decisions: [{ ...decision, free: { x: 1, y: [2, 1] } }] },
    { ...run, decisions: [{ ...decision, more: null }] },
  ];
  for (const other of others) {
    const message = /^runId: /;
    const answer = await post(other);
    t.match(answer, { status: 409, body: { success: false, code: 'RUN_CONFLICT', message } });
  }
  t.equal(await service.store.head(), head, 'nothing was appended');
  t.strictSame((await read('r')).body.data.decisions, run.decisions);
});

test('an omitted noOp is the same as the default that the answer shows, and as nothing else', async (t) => {
  const { post, service } = await startRunService(t);
  const protecting = { decisions: [{ action: 'protect' }] };
  const rows: [object, boolean][] = [
    [protecting, false],
    [{ counts: { uploaded: 2 } }, false],
    [{ counts: { protected: 1 } }, false],
    [{ counts: { protected: '0' } }, true],
    [{}, true],
  ];
  for (const [n, [more, noOp]] of rows.entries()) {
    const omitting = { runId: `omitting ${n}`, ...more };
    const sending = { runId: `sending ${n}`, ...more, noOp };
    for (const run of [omitting, sending]) {
      t.match(await post(run), { status: 201, body: { data: { noOp } } });
    }
    const head = await service.store.head();
    for (const { runId } of [omitting, sending]) {
      for (const same of [more, { ...more, noOp }]) {
        t.match(await post({ runId, ...same }), { status: 200, body: { alreadyRecorded: true } });
      }
      const other = await post({ runId, ...more, noOp: !noOp });
      t.match(other, { status: 409, body: { code: 'RUN_CONFLICT' } }, JSON.stringify(more));
    }
    t.equal(await service.store.head(), head, 'nothing was appended');
  }
  const contrary = { runId: 'contrary', ...protecting };
  t.equal((await post({ ...contrary, noOp: true })).status, 201);
  t.equal((await post({ ...contrary, noOp: true })).status, 200);
  t.equal((await post(contrary)).status, 409);
});

test('one of several concurrent posts of a run records it', async (t) => {
  const { post, service } = await startRunService(t);
  const before = await service.store.head();
  const run = { runId: 'r', decisions: [{ subject: 's', action: 'a' }] };
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(run)));
  t.strictSame(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
  t.equal(await service.store.head(), before + 1);
  const mixed = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post({ runId: 'm', objective: `${n % 2}` })),
  );
  const [winner] = mixed.flatMap(({ status, body }) => (status === 201 ? [body.data] : []));
  for (const [n, { status, body }] of mixed.entries()) {
    const isWinner = `${n % 2}` === winner?.objective;
    t.ok(isWinner ? status < 300 : status === 409 && body.code === 'RUN_CONFLICT', `${n}`);
  }
  t.equal(await service.store.head(), before + 2);
});

test('with more than 5,000 decisions the first are kept and all are counted', async (t) => {
  const { post, read, get, settle } = await joinRunService();
  const decisions = Array.from({ length: maxDecisions + 1 }, (_, n) => {
    return { subject: `file ${n}`, action: n === maxDecisions ? 'last' : 'skip' };
  });
  const exactly = { runId: 'exactly', decisions: decisions.slice(0, maxDecisions) };
  const counts = { decisionsReported: maxDecisions, decisionsTruncated: false };
  t.match(await post(exactly), { status: 201, body: { data: counts } });
  const more = { runId: 'more', decisions };
  const cut = { decisionsReported: maxDecisions + 1, decisionsTruncated: true };
  t.match(await post(more), { status: 201, body: { data: cut } });
  await settle();
  const { data } = (await read('more')).body;
  t.match(data, cut);
  t.strictSame(data.decisions, exactly.decisions);
  t.match((await get('/agent/decisions')).body.meta, { total: 2 * maxDecisions });
  t.match((await get('/agent/decisions?action=last')).body.meta, { total: 0 });
  t.match(await post(more), { status: 200, body: { alreadyRecorded: true } });
  const last = { subject: 'another', action: 'last' };
  const other = { ...more, decisions: [...exactly.decisions, last] };
  t.equal((await post(other)).status, 409, 'dropped decisions count as content too');
  t.equal((await post({ ...more, decisions: exactly.decisions })).status, 409);
});

test('any id is found at its percent-encoded path, and by no other path', async (t) => {
  const { post, read, get, service } = await startRunService(t);
  const ids = [
    'a/b',
    '/',
    'a//b',
    'a%2Fb',
    '%',
    '?x=1#y',
    'a b',
    'ä',
    'a\u0308',
    '日本語',
    '🎉'.repeat(128),
  ];
  ids.push(
    'a+b',
    '..a',
    '__proto__',
    '\u202e<script>',
    '\t\n',
    "'; DROP TABLE events; --",
    'A',
    'a',
  );
  for (const runId of ids) t.equal((await post({ runId, objective: runId })).status, 201, runId);
  for (const runId of ids) {
    t.match(await read(runId), { status: 200, body: { data: { runId, objective: runId } } }, runId);
    const found = await get(`/agent/decisions?runId=${encodeURIComponent(runId)}`);
    t.match(found, { status: 200, body: { meta: { total: 0 } } });
  }
  const rows: [string, number, string][] = [
    ['/agent/runs/a/b', 404, 'NOT_FOUND'],
    ['/agent/runs//', 404, 'NOT_FOUND'],
    ['/agent/runs/none', 404, 'RUN_NOT_FOUND'],
    [`/agent/runs/${'x'.repeat(129)}`, 400, 'INVALID_REQUEST'],
    ['/agent/runs/a%00b', 400, 'INVALID_REQUEST'],
    ['/agent/runs/%ED%A0%80', 400, 'INVALID_REQUEST'],
    ['/agent/runs/%', 400, 'INVALID_REQUEST'],
  ];
  for (const [path, status, code] of rows)
    t.match(await get(path), { status, body: { code } }, path);
  t.notMatch(service.log.join('\n'), /DROP TABLE/);
});
