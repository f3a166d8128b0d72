import { test } from 'tap';
import { ulid } from 'ulid';
import { joinRunService, startRunService } from '../../support/run-service.ts';

test('refuses an invalid run by field, the id first, and stores nothing', async (t) => {
  const { post, service, workspace } = await startRunService(t);
  const other = await service.openOrganisation();
  const decision = { subject: 's', action: 'a' };
  const run = (more: object) => ({ runId: 'r', ...more });
  const runId = /^runId: must be a string of 1 to 128/;
  const rows: [unknown, string, RegExp][] = [
    [{}, 'INVALID_REQUEST', runId],
    [{ runid: 'r' }, 'INVALID_REQUEST', runId],
    [run({ runId: '' }), 'INVALID_REQUEST', runId],
    [run({ runId: 7 }), 'INVALID_REQUEST', runId],
    [run({ runId: null }), 'INVALID_REQUEST', runId],
    [run({ runId: ['r'] }), 'INVALID_REQUEST', runId],
    [run({ runId: 'x'.repeat(129) }), 'INVALID_REQUEST', runId],
    [run({ runId: 'a\0' }), 'INVALID_REQUEST', /^runId: .*NUL/],
    [run({ runId: 'a\ud800' }), 'INVALID_REQUEST', /^runId: .*surrogate/],
    [{ workspace: 'x', mode: 1, decisions: {} }, 'INVALID_REQUEST', runId],
    [run({ workspace: 'x', mode: 1 }), 'INVALID_WORKSPACE', /^workspace: /],
    [run({ workspace: ulid() }), 'INVALID_WORKSPACE', /^workspace: /],
    [run({ workspace: other.workspaceId }), 'INVALID_WORKSPACE', /^workspace: /],
    [run({ startedAt: '2026-01-01' }), 'INVALID_REQUEST', /^startedAt: .*ISO 8601/],
    [run({ finishedAt: 1767225600 }), 'INVALID_REQUEST', /^finishedAt: /],
    [run({ finishedAt: '2026-02-30T00:00:00Z' }), 'INVALID_REQUEST', /^finishedAt: /],
    [run({ mode: 'manual' }), 'INVALID_REQUEST', /^mode: /],
    [run({ mode: 'Interactive' }), 'INVALID_REQUEST', /^mode: /],
    [run({ objective: 1 }), 'INVALID_REQUEST', /^objective: /],
    [run({ objective: 'x'.repeat(4_001) }), 'INVALID_REQUEST', /^objective: .*4000/],
    [run({ objective: 'a\0' }), 'INVALID_REQUEST', /^objective: .*NUL/],
    [run({ trigger: 'x'.repeat(32_768) }), 'INVALID_REQUEST', /^trigger: /],
    [run({ network: 'x'.repeat(32_768) }), 'INVALID_REQUEST', /^network: /],
    [run({ counts: { a: 'x\0' } }), 'INVALID_REQUEST', /^counts\.a: .*NUL/],
    [run({ coverage: { a: '\ud800' } }), 'INVALID_REQUEST', /^coverage\.a: .*surrogate/],
    [run({ coverage: { a: 'x'.repeat(32_768) } }), 'INVALID_REQUEST', /^coverage: .*32768/],
    [run({ unreadableGroups: ['x'.repeat(32_768)] }), 'INVALID_REQUEST', /^unreadableGroups: /],
    [run({ noOp: 'true' }), 'INVALID_REQUEST', /^noOp: /],
    [run({ decisions: {} }), 'INVALID_REQUEST', /^decisions: must be an array/],
    [run({ decisions: [decision, 's'] }), 'INVALID_REQUEST', /^decisions\.1: must be an object/],
    [run({ decisions: [{ ...decision, a: 'x\0' }] }), 'INVALID_REQUEST', /\.0\.a: .*NUL/],
    [run({ decisions: [{ ...decision, runId: 's' }] }), 'INVALID_REQUEST', /\.0\.runId: /],
    [
      run({ decisions: [...Array(5_000).fill(decision), 's'] }),
      'INVALID_REQUEST',
      /^decisions\.5000: /,
    ],
  ];
  const before = await service.store.head();
  for (const [json, code, message] of rows) {
    const answer = await post(json);
    const what = JSON.stringify(json).slice(0, 100);
    t.match(answer, { status: 400, body: { success: false, code, message } }, what);
  }
  t.equal(await service.store.head(), before, 'nothing was appended');
  t.equal((await post({ runId: 'r', workspace })).status, 201);
});

test('refuses a body that is not JSON, or that parsing would change', async (t) => {
  const { postText, service, key } = await startRunService(t);
  const inDecision = (more: string) =>
    `{"runId":"r","decisions":[{"subject":"s","action":"a",${more}}]}`;
  const deep = `${'['.repeat(800_000)}${']'.repeat(800_000)}`;
  const rows: [string | Uint8Array, number, string, RegExp][] = [
    ['', 400, 'INVALID_JSON', /empty/],
    ['{"runId":', 400, 'INVALID_JSON', /JSON/],
    [Buffer.from('{"runId":"\xff"}', 'latin1'), 400, 'INVALID_JSON', /UTF-8/],
    ['[]', 400, 'INVALID_REQUEST', /object/],
    [deep, 400, 'INVALID_REQUEST', /object/],
    [`{"runId":"r","coverage":{"a":${deep}}}`, 400, 'INVALID_REQUEST', /^coverage\.a\.0: .*deeper/],
    [`{"runId":"r","unknown":${deep}}`, 400, 'INVALID_REQUEST', /^unknown.*deeper/],
    ['{"runId":"r","runId":"s"}', 400, 'INVALID_REQUEST', /^runId: appears twice/],
    [inDecision('"x":{"y":1,"y":2}'), 400, 'INVALID_REQUEST', /^decisions\.0\.x: appears twice/],
    [
      inDecision('"size":9007199254740993'),
      400,
      'INVALID_REQUEST',
      /^decisions\.0\.size: .*string/,
    ],
    [inDecision('"size":1e400'), 400, 'INVALID_REQUEST', /^decisions\.0\.size: .*exactly/],
    [`{"runId":"r","x":[${'{},'.repeat(2_600_000)}{}]}`, 400, 'INVALID_REQUEST', /900000 values/],
    [`{"runId":"r","x":${'['.repeat(2_600_000)}`, 400, 'INVALID_REQUEST', /900000 values/],
    [`{"runId":"r","pad":"${'x'.repeat(8_388_608)}"}`, 413, 'PAYLOAD_TOO_LARGE', /8388608/],
  ];
  const before = await service.store.head();
  for (const [body, status, code, message] of rows) {
    const what = body.slice(0, 60).toString();
    t.match(await postText(body), { status, body: { success: false, code, message } }, what);
  }
  const form = { key, body: 'runId=r', headers: { 'content-type': 'text/plain' } };
  t.match(await service.call('POST', '/agent/runs', form), { status: 415 });
  t.equal(await service.store.head(), before, 'nothing was appended');
  t.match(await postText('{"runId":"r","coverage":{"__proto__":{"a":1}}}'), { status: 201 });
  const { text } = await service.call('GET', '/agent/runs/r', { key });
  t.match(text, '"coverage":{"__proto__":{"a":1}}');
});

test('refuses a decision whose numbers exceed the size limit when written out', async (t) => {
  const { postText } = await joinRunService();
  const numbers = `[${Array(6_000).fill('9e15').join(',')}]`;
  const decision = `{"subject":"s","action":"a","n":${numbers}}`;
  const body = `{"runId":"r","decisions":[${Array(139).fill(decision).join(',')}]}`;
  t.ok(body.length <= 8_388_608);
  t.match(await postText(body), { status: 400, body: { message: /^decisions\.0: .*65536/ } });
});
