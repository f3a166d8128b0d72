import { test } from 'tap';
import { signedIn } from '../../support/console-person.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { callsOf } from '../../support/run-service.ts';

const runId = 'nightly/../2026 "<i>" ?&#';

test('people read the runs of agents in the console', async (t) => {
  const site = await joinDocumentService();
  const { service, organisationId, workspace } = site;
  const agentKey = await service.issueKey(organisationId, { agent: true });
  const agent = callsOf(service, agentKey);
  const member = await signedIn(service, organisationId, { role: 'member', email: 'm@x.org' });
  const owner = await signedIn(service, organisationId);
  const get = async (path: string) => member.get(path);

  await t.test('an empty list says what to do next', async (t) => {
    t.match((await owner.get('/console/runs')).text, 'Create a key for an agent');
    t.match((await get('/console/runs')).text, 'An owner can create the key');
    t.match((await get('/console/runs/decisions')).text, 'No decision matches.');
  });

  const classification = JSON.stringify({ runId, topic: 'contracts' });
  const fields = { workspace, agentClassification: classification };
  const uploaded = await site.upload({ name: 'kept.txt' }, fields, { key: agentKey });
  t.equal(uploaded.status, 201);
  const { proofId } = uploaded.body.data;
  const hostile = `<img src=x onerror=alert(1)> \u202e ${'x'.repeat(60_000)}`;
  const decisions = [
    { subject: 'kept.txt', action: 'protect', proofId, reason: 'a contract' },
    ...Array.from({ length: 30 }, (_, n) => ({
      subject: `file ${n}`,
      action: 'skip',
      reason: hostile,
    })),
  ];
  const report = { runId, workspace, mode: 'unattended', objective: 'contracts', decisions };
  const times = { startedAt: '2026-11-20T01:00:00Z', finishedAt: '2026-11-20T02:30:00+01:00' };
  t.equal(
    (await agent.post({ ...report, ...times, counts: { protected: 1, seen: 31 } })).status,
    201,
  );
  t.equal((await agent.post({ runId: 'idle', mode: 'interactive' })).status, 201);

  await t.test('the list has the filters of the API', async (t) => {
    const runsOn = async (query: string) => {
      const { text } = await get(`/console/runs?${query}`);
      return [...text.matchAll(/\/runs\/run\?id=([^"]+)"/g)].map(([, id]) =>
        new URLSearchParams(`id=${id?.replaceAll('&amp;', '&')}`).get('id'),
      );
    };
    t.strictSame(await runsOn(''), ['idle', runId]);
    t.strictSame(await runsOn('protectedOnly=true'), [runId]);
    t.strictSame(await runsOn('mode=interactive'), ['idle']);
    t.strictSame(await runsOn('objective=contracts'), [runId]);
    t.strictSame(await runsOn(`workspace=${workspace}`), [runId]);
    t.strictSame(await runsOn('from=2026-11-20&to=2026-11-20'), [runId]);
    t.strictSame(await runsOn('to=2026-11-19'), []);
    t.strictSame(await runsOn('from=2026-11-20&to=9999-12-31'), [runId], 'the last day there is');
    t.equal((await get('/console/runs?from=soon')).status, 400);
    t.match((await get('/console/runs?mode=interactive&objective=none')).text, 'No run matches.');
  });

  await t.test('a run shows its report, what was protected, and its decisions', async (t) => {
    const path = `/console/runs/run?${new URLSearchParams({ id: runId })}`;
    const { status, text } = await get(path);
    t.equal(status, 200);
    t.match(text, 'nightly/../2026 &quot;&lt;i>&quot; ?&amp;#');
    t.match(text, 'protected files');
    t.match(text, '2026-11-20 01:30 UTC');
    t.match(text, '{&quot;protected&quot;:1,&quot;seen&quot;:31}');
    t.match(text, '1 document');
    t.match(text, `<a href="../../console/documents/${proofId}">`);
    t.match(text, '31 decisions');
    t.match(text, 'a contract');
    t.match(text, '&lt;img src=x');
    t.notMatch(text, '<img');
    t.ok(text.length < 150_000, `${text.length} bytes for long reasons`);
    const next = (await get(`${path}&page=2`)).text;
    t.match(next, 'file 29');
    t.match(next, /rel="prev" href="[^"]*id=nightly%2F/, 'the links keep the run');
    t.match((await get('/console/runs/run?id=idle')).text, 'Nothing, as far as the run says');
    for (const query of ['', '?id=', '?id=none', `?id=${'x'.repeat(129)}`]) {
      t.equal((await get(`/console/runs/run${query}`)).status, 404, query);
    }
    const of = (await get(`/console/documents/${proofId}`)).text;
    t.match(of, 'Filed by an agent');
    t.match(of, `../../console/runs/run?id=nightly`);
  });

  await t.test('decisions of all runs are found by their filters', async (t) => {
    const found = async (query: string) => (await get(`/console/runs/decisions?${query}`)).text;
    t.match(await found('action=protect'), '1 decision<');
    t.match(await found(`proofId=${proofId}`), '1 decision<');
    t.match(await found('action=skip'), '30 decisions');
    t.match(await found('action=skip'), /rel="next" href="[^"]*action=skip/);
    t.match(await found('runId=idle'), 'No decision matches.');
    t.match(await found('mode=unattended&objective=contracts&from=2026-11-20'), '31 decisions');
    t.match(await found('workspace=odd'), 'role="alert"');
  });

  await t.test('numbers have separators of thousands', async (t) => {
    const many = Array.from({ length: 1_200 }, (_, n) => ({ subject: `${n}`, action: 'count' }));
    t.equal(
      (await agent.post({ runId: 'many', mode: 'interactive', decisions: many })).status,
      201,
    );
    t.match((await get('/console/runs')).text, '1,200 decisions');
    t.match((await get('/console/runs/run?id=many')).text, '<dd>1,200</dd>');
  });
});
