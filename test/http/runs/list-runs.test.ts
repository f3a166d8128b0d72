import { test } from 'tap';
import { ulid } from 'ulid';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { runList } from '../../../src/http/runs/run-schema.ts';
import { operator } from '../../support/http-service.ts';
import { joinRunService } from '../../support/run-service.ts';

test('lists runs without decisions in pages, newest first', async (t) => {
  const { post, get } = await joinRunService();
  for (let n = 1; n <= 5; n += 1) {
    await post({ runId: `${n}`, decisions: [{ subject: 's', action: 'a' }] });
  }
  const rows: [string, string[], object][] = [
    ['', ['5', '4', '3', '2', '1'], { page: 1, limit: 20, total: 5, totalPages: 1 }],
    ['?limit=2', ['5', '4'], { page: 1, limit: 2, total: 5, totalPages: 3 }],
    ['?limit=2&page=3', ['1'], { page: 3, limit: 2, total: 5, totalPages: 3 }],
    ['?limit=5', ['5', '4', '3', '2', '1'], { page: 1, limit: 5, total: 5, totalPages: 1 }],
    ['?page=4&limit=2', [], { page: 4, limit: 2, total: 5, totalPages: 3 }],
    ['?page=1000&limit=100', [], { page: 1000, limit: 100, total: 5, totalPages: 1 }],
    ['?unknown=1', ['5', '4', '3', '2', '1'], { page: 1, limit: 20, total: 5, totalPages: 1 }],
  ];
  for (const [query, ids, meta] of rows) {
    const { status, body } = await get(`/agent/runs${query}`);
    t.equal(status, 200);
    t.strictSame(runList.strict().parse(body), body);
    t.strictSame(
      body.data.map(({ runId }: { runId: string }) => runId),
      ids,
      query,
    );
    t.strictSame(body.meta, meta, query);
    for (const run of body.data) t.notOk('decisions' in run);
  }
  const one = (await post({ runId: '6', counts: { protected: 1 } })).body.data;
  t.strictSame((await get('/agent/runs?limit=1')).body.data, [one]);
});

test('every parameter works exactly as in the contract', async (t) => {
  const { post, get, service, organisationId, workspace } = await joinRunService();
  const deps = { ...service.services.events, ...service.services.sources };
  const second = await createWorkspace(deps, { organisationId, name: 'second' }, operator);
  const at = (text: string) => ({ finishedAt: text });
  await post({
    runId: 'a',
    workspace,
    mode: 'interactive',
    objective: 'o',
    counts: { protected: 1 },
  });
  await post({ runId: 'b', workspace, mode: 'unattended', ...at('2026-01-01T00:00:00Z') });
  await post({ runId: 'c', workspace: second, ...at('2026-01-01T01:00:00.5+01:00') });
  await post({ runId: 'd', ...at('2026-01-01T00:00:00.500000001Z'), objective: 'O' });
  await post({
    runId: 'e',
    mode: 'unattended',
    ...at('2026-01-01T00:00:01Z'),
    counts: { protected: 0 },
  });
  await post({ runId: 'f', objective: '', noOp: true, counts: { protected: 3 } });
  const plus = encodeURIComponent('2026-01-01T01:00:00.5+01:00');
  const rows: [string, string][] = [
    ['', 'fedcba'],
    [`workspace=${workspace}`, 'ba'],
    [`workspace=${second}`, 'c'],
    ['mode=interactive', 'a'],
    ['mode=unattended', 'eb'],
    ['mode=Unattended', 'fedcba'],
    ['mode=', 'fedcba'],
    ['mode=all', 'fedcba'],
    ['mode=%00', 'fedcba'],
    ['mode=interactive&mode=unattended', 'fedcba'],
    ['objective=o', 'a'],
    ['objective=O', 'd'],
    ['objective=', 'fedcba'],
    ['objective=%25', ''],
    ['protectedOnly=true', 'fa'],
    ['protectedOnly=false', 'fedcba'],
    ['protectedOnly=', 'fedcba'],
    ['protectedOnly=1', 'fa'],
    ['protectedOnly=True', 'fa'],
    ['protectedOnly=0', 'fedcba'],
    ['protectedOnly=yes', 'fedcba'],
    ['protectedOnly=true&protectedOnly=true', 'fedcba'],
    ['from=2026-01-01T00:00:00Z', 'edcb'],
    ['from=2026-01-01T00:00:00.000000001Z', 'edc'],
    [`from=${plus}`, 'edc'],
    [`to=${plus}`, 'b'],
    ['to=2026-01-01T01:00:00.5+01:00', 'b'],
    ['from=2026-01-01T01:00:00.5+0100', 'edc'],
    ['to=2026-01-01T00:00:00.500000001Z', 'cb'],
    ['to=2026-01-01T00:00:00Z', ''],
    ['from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:01Z', 'dcb'],
    ['from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', ''],
    ['from=2027-01-01T00:00:00Z&to=2025-01-01T00:00:00Z', ''],
    ['from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z', 'edcb'],
    ['mode=unattended&from=2026-01-01T00:00:00.1Z&limit=1', 'e'],
    [`workspace=${workspace}&protectedOnly=true&mode=interactive&objective=o`, 'a'],
  ];
  for (const [query, expected] of rows) {
    const { status, body } = await get(`/agent/runs?${query}`);
    t.equal(status, 200, query);
    t.equal(body.data.map(({ runId }: { runId: string }) => runId).join(''), expected, query);
    t.equal(body.meta.total, expected.length, query);
  }
});

test('both lists refuse invalid parameters by name', async (t) => {
  const { get, service } = await joinRunService();
  const other = await service.openOrganisation();
  const dates = ['x', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '1767225600'];
  dates.push('2026-01-01+00:00:00Z', '2026-01-01T00:00:00++01:00', '2026-01-01T25:00:00Z', '%00');
  const rows: [string, string, RegExp][] = [
    ...dates.flatMap((date): [string, string, RegExp][] => [
      [`from=${date}`, 'INVALID_REQUEST', /^from: /],
      [`to=${date}`, 'INVALID_REQUEST', /^to: /],
    ]),
    ['from=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z', 'INVALID_REQUEST', /^from: /],
    ['page=0', 'INVALID_REQUEST', /^page: /],
    ['page=x', 'INVALID_REQUEST', /^page: /],
    ['limit=0', 'INVALID_REQUEST', /^limit: /],
    ['limit=101', 'INVALID_REQUEST', /^limit: .*100/],
    ['objective=a&objective=b', 'INVALID_REQUEST', /^objective: /],
    ['objective=%00', 'INVALID_REQUEST', /^objective: .*NUL/],
    [`workspace=${ulid()}`, 'INVALID_WORKSPACE', /^workspace: /],
    [`workspace=${other.workspaceId}`, 'INVALID_WORKSPACE', /^workspace: /],
  ];
  const ofDecisions: typeof rows = [
    ['mode=all', 'INVALID_REQUEST', /^mode: /],
    [`runId=${'x'.repeat(129)}`, 'INVALID_REQUEST', /^runId: /],
    ['action=a&action=b', 'INVALID_REQUEST', /^action: /],
  ];
  const asked = [
    ...rows.map((row) => ['/agent/runs', ...row] as const),
    ...[...rows, ...ofDecisions].map((row) => ['/agent/decisions', ...row] as const),
  ];
  for (const [path, query, code, message] of asked) {
    const answer = await get(`${path}?${query}`);
    t.match(answer, { status: 400, body: { success: false, code, message } }, `${path}?${query}`);
  }
});
