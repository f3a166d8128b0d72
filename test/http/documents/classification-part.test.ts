import { test } from 'tap';
import { joinDocumentService } from '../../support/document-service.ts';
import { until } from '../../support/until.ts';

test('agentClassification may be a Blob, and an empty one is absent', async (t) => {
  const { service, organisationId, workspace, files } = await joinDocumentService();
  const key = await service.issueKey(organisationId, { agent: true });
  let count = 0;
  const send = (parts: readonly (string | Blob)[], path = '/documents', as = key) => {
    const body = new FormData();
    if (path === '/documents') body.append('workspace', workspace);
    for (const part of parts) {
      // A Blob gets the file name `blob`, as in a browser.
      if (typeof part === 'string') body.append('agentClassification', part);
      else body.append('agentClassification', part);
    }
    count += 1;
    body.append('file', new Blob([`file ${count}`]), 'a.txt');
    return service.call('POST', path, { key: as, body });
  };
  const blob = (text: string | Uint8Array<ArrayBuffer>) =>
    new Blob([text], { type: 'application/json' });
  const agentClassification = { runId: 'r', kind: 'ä' };
  const text = JSON.stringify(agentClassification);
  const stored = await send([blob(text)]);
  t.match(stored, { status: 201, body: { data: { agentClassification } } });
  const path = `/documents/${stored.body.data.documentId}/version`;
  t.match(await send([blob('{"kind":"x"}')], path), {
    status: 201,
    body: { data: { agentClassification: { kind: 'x' } } },
  });
  for (const empty of ['', ' ', 'null', blob(''), blob('null')]) {
    const { status, body } = await send([empty]);
    t.match({ status, body }, { status: 201, body: { data: { agentClassification: null } } });
    t.match((await send([empty], path)).body.data.agentClassification, { kind: 'x' }, 'inherited');
    const person = await service.issueKey(organisationId);
    t.equal((await send([empty], '/documents', person)).status, 201, 'of any key');
  }
  t.match(await send([blob('{"runId":null,"kind":"y"}')]), {
    status: 201,
    body: { data: { agentClassification: { kind: 'y', runId: undefined } } },
  });
  const wrong = [
    [blob('no JSON')],
    [blob(Uint8Array.from(Buffer.from('{"a":"\xff"}', 'latin1')))],
    [blob(`{"a":"${'x'.repeat(16_384)}"}`)],
    [text, blob(text)],
  ];
  for (const parts of wrong) {
    t.match(await send(parts), { status: 400, body: { code: 'INVALID_CLASSIFICATION' } });
  }
  t.match(await send([blob(text), blob(text)]), { status: 400 });
  await until('nothing is staged', async () => (await files()).staged.length === 0);
});
