import { test } from 'tap';
import { joinDocumentService } from '../../support/document-service.ts';
import { until } from '../../support/until.ts';

test('metadata of a form is kept and given back as that of POST /proofs', async (t) => {
  const { service, key, workspace, files } = await joinDocumentService();
  let count = 0;
  const send = (fields: Readonly<Record<string, string | Blob>>) => {
    const body = new FormData();
    body.append('workspace', workspace);
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    count += 1;
    body.append('file', new Blob([`file ${count}`]), 'a.txt');
    return service.call('POST', '/documents', { key, body });
  };
  const own = { caseNumber: '2026-114', tags: ['ä', null] };
  const whole = { description: 'd', ...own };
  for (const [fields, description, metadata] of [
    [{ metadata: JSON.stringify(whole) }, 'd', whole],
    [{ metadata: JSON.stringify(own), description: 'd' }, 'd', whole],
    [{ metadata: JSON.stringify(whole), description: 'd' }, 'd', whole],
    [{ metadata: new Blob([JSON.stringify(own)], { type: 'application/json' }) }, null, own],
    [{ metadata: '{}' }, null, {}],
    [{ metadata: '' }, null, {}],
    [{ metadata: 'null', description: 'd' }, 'd', { description: 'd' }],
    [{ metadata: new Blob([]) }, null, {}],
  ] as const) {
    const what = JSON.stringify(fields);
    const { status, body } = await send(fields);
    t.equal(status, 201, what);
    const { documentId, proofId } = body.data;
    for (const path of [`/documents/${documentId}`, `/proofs/${proofId}`]) {
      const { data } = (await service.call('GET', path, { key })).body;
      t.equal(data.description, description, what);
      t.strictSame(data.metadata, metadata, what);
    }
  }
  for (const [fields, field] of [
    [{ metadata: 'x' }, 'metadata'],
    [{ metadata: '[]' }, 'metadata'],
    [{ metadata: '{"description":1}' }, 'metadata.description'],
    [{ metadata: '{"id":12345678901234567890}' }, 'metadata.id'],
    [{ metadata: '{"a":1,"a":2}' }, 'metadata.a'],
    [{ metadata: '{"a":"\\ud800"}' }, 'metadata.a'],
    [{ metadata: `{"a":"${'x'.repeat(16_384)}"}` }, 'metadata'],
    [{ metadata: '{"description":"one"}', description: 'other' }, 'metadata.description'],
  ] as const) {
    const { status, body } = await send(fields);
    t.match({ status, body }, { status: 400, body: { code: 'INVALID_REQUEST' } });
    t.ok(body.message.startsWith(`${field}: `), body.message);
  }
  await until('nothing is staged', async () => (await files()).staged.length === 0);
});
