import { sql } from 'kysely';
import { test } from 'tap';
import { joinDocumentService, startDocumentService } from '../../support/document-service.ts';
import { callsOf } from '../../support/run-service.ts';

test('a document appears under a run exactly when its classification names the run', async (t) => {
  const { service, organisationId, upload, revise, key } = await joinDocumentService();
  const agent = { key: await service.issueKey(organisationId, { agent: true }) };
  const { post, read } = callsOf(service, key);
  const ids = async (runId: string) =>
    (await read(runId)).body.data.documents.map(
      ({ documentId }: { documentId: string }) => documentId,
    );
  const naming = (value: unknown) => ({ agentClassification: JSON.stringify(value) });

  const before = (await upload({}, naming({ runId: 'r/1', kind: 'contract' }), agent)).body.data;
  t.equal((await read('r/1')).status, 404, 'a document creates no run');
  for (const runId of ['r/1', 'R/1', 'r2']) await post({ runId });
  t.strictSame(await ids('r/1'), [before.documentId]);
  t.strictSame(await ids('R/1'), []);

  const plain = (await upload()).body.data;
  const without = (await upload({}, naming({ kind: 'x', nested: { runId: 'r/1' } }), agent)).body
    .data;
  t.equal(without.agentClassification.kind, 'x');
  t.strictSame(await ids('r/1'), [before.documentId], 'other documents do not appear');

  const inherits = (await revise(before.documentId)).body.data;
  t.strictSame(inherits.agentClassification, { runId: 'r/1', kind: 'contract' });
  t.strictSame(await ids('r/1'), [inherits.documentId, before.documentId], 'newest first');

  const moved = (await revise(before.documentId, {}, naming({ runId: 'r2' }), agent)).body.data;
  const after = (await revise(before.documentId)).body.data;
  t.strictSame(
    after.agentClassification,
    { runId: 'r2' },
    'the latest classification as a whole, not that of the root',
  );
  t.strictSame(await ids('r2'), [after.documentId, moved.documentId]);
  t.strictSame(await ids('r/1'), [inherits.documentId, before.documentId]);

  const away = (await revise(before.documentId, {}, naming({ kind: 'none' }), agent)).body.data;
  t.strictSame(away.agentClassification, { kind: 'none' }, 'replaced as a whole, including runId');
  t.strictSame((await revise(before.documentId)).body.data.agentClassification, { kind: 'none' });
  t.strictSame(await ids('r2'), [after.documentId, moved.documentId]);
  t.equal((await revise(plain.documentId)).body.data.agentClassification, null);

  const [shown] = (await read('r2')).body.data.documents;
  t.strictSame(shown, { ...after, proofNonce: null });
  const stranger = await service.openOrganisation();
  const theirs = callsOf(service, stranger.key);
  await theirs.post({ runId: 'r2' });
  t.strictSame((await theirs.read('r2')).body.data.documents, []);
});

test('a document appears under its run as soon as its upload is answered', async (t) => {
  const { service, organisationId, upload } = await startDocumentService(t, { unanchored: true });
  const key = await service.issueKey(organisationId, { agent: true });
  const { post, read } = callsOf(service, key);
  await post({ runId: 'r' });
  const fields = { agentClassification: '{"runId":"r"}' };
  const headers = { prefer: 'respond-async' };
  for (let count = 1; count <= 5; count += 1) {
    t.equal((await upload({}, fields, { key, headers })).status, 202);
    t.equal((await read('r')).body.data.documents.length, count);
  }
});

test('shows the newest 500 documents of a run, and the others page by page', async (t) => {
  const { service, organisationId, upload } = await joinDocumentService();
  const key = await service.issueKey(organisationId, { agent: true });
  const { get, post } = callsOf(service, key);
  const fields = { agentClassification: '{"runId":"many"}' };
  const { proofId } = (await upload({}, fields, { key })).body.data;
  await post({ runId: 'many' });
  // As the read model would hold 501 more uploads of the run.
  const copies = (table: string, change: string) => `
    INSERT INTO ${table} SELECT (jsonb_populate_record(d, to_jsonb(d) || ${change})).*
    FROM ${table} d CROSS JOIN generate_series(1, 501) n WHERE d.proof_id = '${proofId}'`;
  const newId = (from: string) => `left(${from}, 22) || to_char(n, 'FM0000')`;
  const ids = `jsonb_build_object('proof_id', ${newId('d.proof_id')}`;
  for (const statement of [
    copies('documents', `${ids}, 'ordinal', d.ordinal + 1000000 + n)`),
    copies(
      'document_details',
      `${ids}, 'document_id', ${newId('d.document_id')}, 'root_document_id', ${newId('d.document_id')})`,
    ),
  ]) {
    await sql.raw(statement).execute(service.services.events.db);
  }
  const read = async (query: string) => (await get(`/agent/runs/many${query}`)).body.data;
  const first = await read('');
  t.match([first.documents.length, first.documentsTotal], [500, 502]);
  const second = await read('?documentsPage=2');
  t.match([second.documents.length, second.documentsTotal], [2, 502]);
  t.equal(second.documents[1].proofId, proofId, 'the oldest is the last');
  const third = await read('?documentsPage=3');
  t.match([third.documents.length, third.documentsTotal, third.runId], [0, 502, 'many']);

  const few = await service.issueKey(organisationId, { requestsPerMinute: 10 });
  const left = async () => {
    const answer = await get('/agent/runs/many', few);
    return [answer.status, /"minute";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]];
  };
  t.strictSame(await left(), [200, '4'], 'one request, and one for each 100 documents');
  t.equal((await left())[0], 429);
});

test('refuses a classification that cannot be stored as sent', async (t) => {
  const { service, organisationId, upload, types } = await joinDocumentService();
  const agent = { key: await service.issueKey(organisationId, { agent: true }) };
  const rows: [string, RegExp][] = [
    ['{"runId":"r","runId":"s"}', /runId appears twice/],
    ['{"a":{"n":9007199254740993}}', /a\.n .*string/],
    ['{"runId":5}', /runId/],
    ['{"runId":""}', /runId/],
    ['{"a":["x\\u0000"]}', /a\.0 .*NUL/],
    ['[]', /object/],
  ];
  for (const [agentClassification, message] of rows) {
    const answer = await upload({}, { agentClassification }, agent);
    const body = { code: 'INVALID_CLASSIFICATION', message };
    t.match(answer, { status: 400, body }, agentClassification);
  }
  const human = await upload({}, { agentClassification: '{}' });
  t.match(human, { status: 400, body: { code: 'INVALID_CLASSIFICATION' } });
  t.notOk((await types()).includes('DocumentStored'));
});
