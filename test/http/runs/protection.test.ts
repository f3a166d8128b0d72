import { test } from 'tap';
import { giveUpProof } from '../../../src/commands/give-up-proof.ts';
import { joinDocumentService, startDocumentService } from '../../support/document-service.ts';
import { operator } from '../../support/http-service.ts';
import { callsOf } from '../../support/run-service.ts';

test('a run protected something by its counts, its decisions or a document under it', async (t) => {
  const { service, organisationId, upload } = await startDocumentService(t, {
    unanchored: true,
  });
  const key = await service.issueKey(organisationId, { agent: true });
  const { post, get, read } = callsOf(service, key);
  const headers = { prefer: 'respond-async' };
  const under = (runId: string, bytes: string) =>
    upload({ bytes }, { agentClassification: JSON.stringify({ runId }) }, { key, headers });
  await under('uploaded before', '1');
  const rows: [string, object, boolean][] = [
    ['protected', { counts: { protected: 1 } }, false],
    ['uploaded', { counts: { uploaded: 0.5 } }, false],
    ['nested', { counts: { drive: { protected: { pdf: 2 } } } }, false],
    ['decided', { decisions: [{ subject: 'a', action: 'skip' }, { action: 'protect' }] }, false],
    ['as text', { counts: { protected: '2' } }, false],
    ['in capitals', { counts: { Uploaded: true } }, false],
    ['names', { counts: { protected: { drive: [0, 'a.pdf'] } } }, false],
    ['uploaded before', {}, false],
    ['nothing', { counts: { protected: 0, seen: 9 }, decisions: [{ action: 'skip' }] }, true],
    ['none as text', { counts: { protected: '0', uploaded: ['', '0', 0] } }, true],
    ['no count', { counts: { protected: 'none', unprotected: 1, Uploaded: false } }, true],
    ['a value', { counts: ['protected', { name: 'protected', value: 1 }] }, true],
    ['as sent', { counts: { protected: 1 }, noOp: true }, true],
    ['as sent too', { noOp: false }, false],
    ['uploaded after', {}, true],
  ];
  for (const [runId, more, noOp] of rows) {
    t.match(await post({ runId, ...more }), { status: 201, body: { data: { noOp } } }, runId);
  }
  const gone = (await under('uploaded after', '2')).body.data;
  const listed = async () =>
    new Set((await get('/agent/runs?protectedOnly=true')).body.data.map(idOf));
  const always = [
    ...['protected', 'uploaded', 'nested', 'decided', 'as text', 'in capitals', 'names'],
    ...['uploaded before', 'as sent'],
  ];
  t.strictSame(await listed(), new Set([...always, 'uploaded after'].reverse()));
  const shown = async (runId: string) => {
    const all = (await get('/agent/runs')).body.data as readonly { runId: string; noOp: boolean }[];
    const one = (await read(runId)).body.data.noOp;
    t.equal(all.find((run) => run.runId === runId)?.noOp, one, `${runId} in the list`);
    return one;
  };
  t.equal(await shown('uploaded after'), false);
  for (const [runId, , noOp] of rows.slice(0, -1)) t.equal(await shown(runId), noOp, runId);
  t.match(await post({ runId: 'uploaded after' }), {
    status: 200,
    body: { alreadyRecorded: true, data: { noOp: false } },
  });
  t.equal((await post({ runId: 'uploaded after', noOp: false })).status, 200);
  t.equal((await post({ runId: 'uploaded after', noOp: true })).status, 409);

  await giveUpProof(service.store, gone.proofId, operator);
  t.strictSame(await listed(), new Set(always.toReversed()), 'a document that was given up');
  t.equal(await shown('uploaded after'), true);
});

test('what the contract gives no type is stored as it came', async (t) => {
  const { service, key } = await joinDocumentService();
  const { post, get, read } = callsOf(service, key);
  const run = {
    runId: 'r',
    trigger: { cron: '0 1 * * *' },
    counts: { seen: 1.5, '': -1, byType: { pdf: [1, { x: null }] } },
    coverage: 0.97,
    connectorsReached: [{ name: 'drive', files: 3 }, 'mail', 7, null],
    connectorsUnreachable: 'none',
    unreadableGroups: { hr: ['a.zip'] },
    network: ['mainnet', { name: 'office' }],
    decisions: [
      {},
      { action: 'protect' },
      { subject: { path: 'a' }, action: ['protect'], fileHash: 'AB', proofId: 1 },
      { subject: null, confidence: 'high', at: 'yesterday', reason: 7, documentId: 'x' },
    ],
  };
  const { decisions, ...rest } = run;
  t.match(await post(run), { status: 201, body: { data: rest } });
  t.match((await post(run)).status, 200);
  t.strictSame((await read('r')).body.data.decisions, decisions);
  const { data } = (await get('/agent/decisions')).body;
  t.strictSame(
    data,
    decisions.map((decision) => ({ ...decision, runId: 'r' })),
  );
  t.strictSame((await get('/agent/decisions?action=protect')).body.data, [data[1]]);
  for (const wrong of [{ decisions: [1] }, { decisions: 'x' }, { coverage: 'x'.repeat(32_768) }]) {
    t.match(await post({ runId: 's', ...wrong }), { status: 400 });
  }
});

function idOf({ runId }: { readonly runId: string }): string {
  return runId;
}
