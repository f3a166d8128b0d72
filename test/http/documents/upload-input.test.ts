import { test } from 'tap';
import { ulid } from 'ulid';
import { joinDocumentService, startDocumentService } from '../../support/document-service.ts';
import { fieldPart, filePart, formType, type RawPart, rawForm } from '../../support/forms.ts';
import type { CallOptions } from '../../support/http-service.ts';
import { until } from '../../support/until.ts';

const text = filePart('filename="a.txt"', 'some text');

test('refuses any invalid upload, and stores nothing of it', async (t) => {
  const service = await startDocumentService(t, {
    services: { files: { maxUploadBytes: 100_000 } },
  });
  const { key, workspace: id, types, files } = service;
  const other = await service.service.openOrganisation();
  const agentKey = await service.service.issueKey(service.organisationId, { agent: true });
  const before = await types();
  const workspace = fieldPart('workspace', id);
  const form = (...parts: RawPart[]): CallOptions => ({ body: rawForm(parts), headers: formType });
  const named = (disposition: string | Buffer) =>
    form(workspace, filePart(disposition, 'some text'));
  const agent = (json: string | Uint8Array): CallOptions => ({
    ...form(workspace, fieldPart('agentClassification', json), text),
    key: agentKey,
  });
  const plain = (value: string): CallOptions => ({
    body: value,
    headers: { 'content-type': value },
  });
  const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`;
  const rows: [string, CallOptions, number, string, RegExp][] = [
    ['no body', {}, 400, 'INVALID_REQUEST', /empty/],
    ['JSON', { json: {} }, 415, 'UNSUPPORTED_MEDIA_TYPE', /multipart\/form-data/],
    [
      'another multipart',
      plain('multipart/mixed; boundary=a'),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /form/,
    ],
    [
      'a url-encoded form',
      plain('application/x-www-form-urlencoded'),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /form/,
    ],
    [
      'no content type',
      { body: 'x', headers: { 'content-type': '' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /form/,
    ],
    [
      'an encoding',
      { body: rawForm([workspace, text]), headers: { ...formType, 'content-encoding': 'gzip' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /Encoding/,
    ],
    ['no boundary', plain('multipart/form-data'), 400, 'INVALID_REQUEST', /boundary/],
    [
      'another boundary',
      {
        body: rawForm([workspace, text]),
        headers: { 'content-type': 'multipart/form-data; boundary=other' },
      },
      400,
      'INVALID_REQUEST',
      /complete/,
    ],
    ['no parts', form(), 400, 'INVALID_WORKSPACE', /^workspace: /],
    ['noise', { body: 'noise', headers: formType }, 400, 'INVALID_REQUEST', /complete/],
    [
      'an end that lacks',
      { body: rawForm([workspace, text], { end: false }), headers: formType },
      400,
      'INVALID_REQUEST',
      /complete/,
    ],
    [
      'an end in the middle of the file',
      { body: rawForm([workspace, text]).subarray(0, -40), headers: formType },
      400,
      'INVALID_REQUEST',
      /complete/,
    ],
    [
      'a broken part header',
      form(workspace, { headers: ['nonsense'], bytes: 'x' }, text),
      400,
      'INVALID_REQUEST',
      /complete/,
    ],
    [
      'a part without a name',
      form(workspace, { headers: ['Content-Disposition: form-data'], bytes: 'x' }, text),
      400,
      'INVALID_REQUEST',
      /name/,
    ],
    ['no file', form(workspace), 400, 'INVALID_REQUEST', /^file: /],
    [
      'a field called file',
      form(workspace, fieldPart('file', 'x')),
      400,
      'INVALID_REQUEST',
      /^file: /,
    ],
    ['a file without a name', named('filename=""'), 400, 'INVALID_REQUEST', /^file: /],
    [
      'an empty file',
      form(workspace, filePart('filename="a.txt"', '')),
      400,
      'INVALID_REQUEST',
      /^file: .*empty/,
    ],
    ['two files', form(workspace, text, text), 400, 'INVALID_REQUEST', /one file/],
    [
      'a file of another name',
      form(workspace, filePart('filename="a.txt"', 'x', 'upload')),
      400,
      'INVALID_REQUEST',
      /one file/,
    ],
    [
      'a file of another name too',
      form(workspace, text, filePart('filename="a.txt"', 'x', 'upload')),
      400,
      'INVALID_REQUEST',
      /one file/,
    ],
    [
      'a large file',
      form(workspace, filePart('filename="a.txt"', 'x'.repeat(100_001))),
      413,
      'PAYLOAD_TOO_LARGE',
      /100000 bytes/,
    ],
    [
      'a very large file',
      form(workspace, filePart('filename="a.txt"', 'x'.repeat(2_000_000))),
      413,
      'PAYLOAD_TOO_LARGE',
      /100000 bytes/,
    ],
    [
      'much before the first part',
      {
        body: Buffer.concat([Buffer.alloc(1_200_000, 'x'), rawForm([workspace, text])]),
        headers: formType,
      },
      413,
      'PAYLOAD_TOO_LARGE',
      /100000 bytes/,
    ],
    [
      'many fields',
      form(workspace, text, ...Array.from({ length: 20 }, (_, n) => fieldPart(`a${n}`, 'x'))),
      400,
      'INVALID_REQUEST',
      /too many/,
    ],
    [
      'many empty parts',
      form(
        ...Array.from({ length: 50 }, () => ({ headers: ['A: b'], bytes: '' })),
        workspace,
        text,
      ),
      400,
      'INVALID_REQUEST',
      /too many/,
    ],
    [
      'a long field name',
      form(workspace, text, fieldPart('a'.repeat(101), 'x')),
      400,
      'INVALID_REQUEST',
      /name is too long/,
    ],
    [
      'a long field',
      form(workspace, text, fieldPart('a', 'x'.repeat(16_385))),
      400,
      'INVALID_REQUEST',
      /^a: /,
    ],
    [
      'a nested field',
      form(workspace, text, fieldPart('a[b]', 'x')),
      400,
      'INVALID_REQUEST',
      /brackets/,
    ],
    [
      'a list',
      form(workspace, text, fieldPart('a[1000000000]', 'x')),
      400,
      'INVALID_REQUEST',
      /brackets/,
    ],
    ['no workspace', form(text), 400, 'INVALID_WORKSPACE', /^workspace: /],
    ['two workspaces', form(workspace, workspace, text), 400, 'INVALID_WORKSPACE', /^workspace: /],
    [
      'a malformed workspace',
      form(fieldPart('workspace', 'x'), text),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      'a long workspace',
      form(fieldPart('workspace', 'x'.repeat(20_000)), text),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      'an unknown workspace',
      form(fieldPart('workspace', ulid()), text),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      "another organisation's workspace",
      form(fieldPart('workspace', other.workspaceId), text),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      'a long description',
      form(workspace, fieldPart('description', 'é'.repeat(501)), text),
      400,
      'INVALID_REQUEST',
      /^description: .*500/,
    ],
    [
      'two descriptions',
      form(workspace, fieldPart('description', 'a'), fieldPart('description', 'b'), text),
      400,
      'INVALID_REQUEST',
      /^description: /,
    ],
    [
      'NUL in a description',
      form(workspace, fieldPart('description', 'a\0b'), text),
      400,
      'INVALID_REQUEST',
      /^description: .*NUL/,
    ],
    [
      'a description that is no UTF-8',
      form(workspace, fieldPart('description', Buffer.from([0x61, 0xff])), text),
      400,
      'INVALID_REQUEST',
      /^description: .*UTF-8/,
    ],
    [
      'a long file name',
      named(`filename="${'é'.repeat(252)}.txt"`),
      400,
      'INVALID_REQUEST',
      /^file\.name: .*255/,
    ],
    [
      'NUL in a file name',
      named("filename*=UTF-8''a%00b.txt"),
      400,
      'INVALID_REQUEST',
      /^file\.name: .*NUL/,
    ],
    [
      'a control character in a file name',
      named('filename="a\x01b.txt"'),
      400,
      'INVALID_REQUEST',
      /name of a file .*control character/,
    ],
    [
      'a lone surrogate in a file name',
      named("filename*=UTF-16LE''a%00%00%D8b%00"),
      400,
      'INVALID_REQUEST',
      /surrogate|NUL/,
    ],
    [
      'a file name that is no UTF-8',
      named(Buffer.from([...Buffer.from('filename="'), 0xe9, ...Buffer.from('.txt"')])),
      400,
      'INVALID_REQUEST',
      /^file\.name: .*UTF-8/,
    ],
    [
      'a long type',
      form(workspace, {
        headers: [
          'Content-Disposition: form-data; name="file"; filename="a.txt"',
          `Content-Type: text/${'x'.repeat(300)}`,
        ],
        bytes: 'x',
      }),
      400,
      'INVALID_REQUEST',
      /^file\.type: /,
    ],
    [
      'a classification of no agent',
      { ...agent('{}'), key },
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: .*agent/,
    ],
    [
      'a classification that is not JSON',
      agent('{'),
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    [
      'a classification that is not an object',
      agent('[]'),
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    [
      'a classification that is false',
      agent('false'),
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    [
      'a large classification',
      agent(`{"a":"${'x'.repeat(16_384)}"}`),
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    ['a deep classification', agent(deep), 400, 'INVALID_CLASSIFICATION', /^agentClassification: /],
    [
      'a classification with NUL',
      agent('{"a":"\0"}'),
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    [
      'a classification with an escaped NUL',
      agent('{"a":"\\u0000"}'),
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    [
      'a classification with a lone surrogate',
      agent('{"\\ud800":1}'),
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    [
      'a classification that is not UTF-8',
      agent(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    [
      'a classification whose runId is a number',
      agent('{"runId":1}'),
      400,
      'INVALID_CLASSIFICATION',
      /runId/,
    ],
    [
      'a classification whose runId is empty',
      agent('{"runId":""}'),
      400,
      'INVALID_CLASSIFICATION',
      /runId/,
    ],
    [
      'a classification whose runId is too long',
      agent(`{"runId":"${'x'.repeat(129)}"}`),
      400,
      'INVALID_CLASSIFICATION',
      /runId/,
    ],
    [
      'two classifications',
      {
        ...form(
          workspace,
          fieldPart('agentClassification', '{}'),
          fieldPart('agentClassification', '{}'),
          text,
        ),
        key: agentKey,
      },
      400,
      'INVALID_CLASSIFICATION',
      /^agentClassification: /,
    ],
    [
      'text that is called a PDF',
      named('filename="a.pdf"'),
      422,
      'FILE_BYTES_NOT_VERIFIED',
      /\.pdf/,
    ],
    [
      'text that is called a PDF to Windows',
      named('filename="a.pdf. "'),
      422,
      'FILE_BYTES_NOT_VERIFIED',
      /\.pdf/,
    ],
  ];
  for (const [what, options, status, code, message] of rows) {
    const answer = await service.service.call('POST', '/documents', { key, ...options });
    t.match(answer, { status, body: { success: false, code, message } }, what);
  }
  t.strictSame(await types(), before, 'nothing was appended');
  // Oversized uploads are answered before their removal.
  await until('nothing is staged', async () => (await files()).staged.length === 0);
  t.strictSame((await files()).kept, []);
  t.notMatch(service.service.log.join('\n'), /"level":(40|50)/);
});

test('accepts parts in any order, unknown fields, and fields at their limits', async (t) => {
  const {
    key,
    workspace: id,
    service,
  } = await startDocumentService(t, {
    services: { files: { maxUploadBytes: 100_000 } },
  });
  const workspace = fieldPart('workspace', id);
  const description = fieldPart('description', '€'.repeat(500));
  const unknown = [
    fieldPart('folder', '/x'),
    fieldPart('__proto__', 'x'),
    fieldPart('a', 'x'.repeat(16_384)),
  ];
  const file = (letter: string) => filePart('filename="a.txt"', letter.repeat(100_000));
  const forms = [
    [file('a'), workspace, description],
    [workspace, file('b'), description, ...unknown],
    [...unknown, description, workspace, file('c')],
  ];
  for (const parts of forms) {
    const body = rawForm(parts);
    const answer = await service.call('POST', '/documents', { key, body, headers: formType });
    t.match(answer, {
      status: 201,
      body: { data: { fileSize: 100_000, description: '€'.repeat(500), workspace: id } },
    });
  }
});

test('the type comes from the form, and a part without one is text, as in RFC 7578', async (t) => {
  const { key, workspace, service } = await joinDocumentService();
  const types: [readonly string[], string][] = [
    [[], 'text/plain'],
    [['Content-Type: application/vnd.Example+XML; charset=x'], 'application/vnd.example+xml'],
    [['Content-Type: application/octet-stream'], 'application/octet-stream'],
  ];
  for (const [index, [headers, mimeType]] of types.entries()) {
    const disposition = 'Content-Disposition: form-data; name="file"; filename="a"';
    const file = { headers: [disposition, ...headers], bytes: `${index}` };
    const body = rawForm([fieldPart('workspace', workspace), file]);
    const answer = await service.call('POST', '/documents', { key, body, headers: formType });
    t.match(answer, { status: 201, body: { data: { mimeType } } });
  }
});
