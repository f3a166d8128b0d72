import { test } from 'tap';
import { ulid } from 'ulid';
import { type CallOptions, joinHttpService, startHttpService } from '../support/http-service.ts';
import { randomDigest } from '../support/scripted-anchoring.ts';

const hash = randomDigest();
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const jsonType = { 'content-type': 'application/json' };

test('refuses any invalid input of POST /proofs, and stores nothing', async (t) => {
  const service = await startHttpService(t, { services: { calls: { proofWaitMs: 100 } } });
  const { key, workspaceId } = await service.openOrganisation();
  const other = await service.openOrganisation();
  const workspace = workspaceId;
  const base = { hash, workspace };
  const raw = (body: string | Uint8Array, headers = jsonType): CallOptions => ({ body, headers });
  const json = (value: unknown): CallOptions => ({ json: value });
  const text = (more: string) => raw(`{"hash":"${hash}","workspace":"${workspace}",${more}}`);
  const rows: [string, CallOptions, number, string, RegExp][] = [
    ['malformed JSON', raw('{"hash":'), 400, 'INVALID_JSON', /JSON/],
    ['no body', {}, 400, 'INVALID_JSON', /empty/],
    ['an empty body', raw(''), 400, 'INVALID_JSON', /empty/],
    ['invalid UTF-8', raw(Buffer.from([0x7b, 0xff, 0x7d])), 400, 'INVALID_JSON', /UTF-8/],
    ['an array', json([]), 400, 'INVALID_REQUEST', /object/],
    ['a string', json('x'), 400, 'INVALID_REQUEST', /object/],
    ['null', json(null), 400, 'INVALID_REQUEST', /object/],
    ['deep arrays for a body', raw(deep), 400, 'INVALID_REQUEST', /object/],
    [
      'a form',
      raw('hash=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /json/,
    ],
    ['text', raw('{}', { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE', /json/],
    [
      'a +json type',
      raw('{}', { 'content-type': 'application/ld+json' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /json/,
    ],
    ['no content type', raw('{}', { 'content-type': '' }), 415, 'UNSUPPORTED_MEDIA_TYPE', /json/],
    [
      'a broken content type',
      raw('{}', { 'content-type': 'json' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /json/,
    ],
    [
      'another charset',
      raw('{}', { 'content-type': 'application/json; charset=latin1' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /UTF-8/,
    ],
    [
      'a compressed body',
      { ...raw('{}'), headers: { ...jsonType, 'content-encoding': 'gzip' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      /Encoding/,
    ],
    [
      'a body above 1 MB',
      raw(`{"a":"${'x'.repeat(1_048_576)}"}`),
      413,
      'PAYLOAD_TOO_LARGE',
      /1048576/,
    ],
    ['no hash', json({ workspace }), 400, 'INVALID_HASH', /^hash: /],
    ['an empty object', json({}), 400, 'INVALID_HASH', /^hash: /],
    [
      'an upper-case hash',
      json({ ...base, hash: hash.toUpperCase() }),
      400,
      'INVALID_HASH',
      /^hash: /,
    ],
    ['63 characters', json({ ...base, hash: hash.slice(1) }), 400, 'INVALID_HASH', /^hash: /],
    ['65 characters', json({ ...base, hash: `${hash}0` }), 400, 'INVALID_HASH', /^hash: /],
    [
      'a line feed after the hash',
      json({ ...base, hash: `${hash}\n` }),
      400,
      'INVALID_HASH',
      /^hash: /,
    ],
    [
      'NUL in the hash',
      json({ ...base, hash: `${hash.slice(1)}\0` }),
      400,
      'INVALID_HASH',
      /^hash: /,
    ],
    ['a number as hash', json({ ...base, hash: 1 }), 400, 'INVALID_HASH', /^hash: /],
    ['null as hash', json({ ...base, hash: null }), 400, 'INVALID_HASH', /^hash: /],
    [
      'a bad hash and all else',
      json({ hash: 'x', workspace: 1, fileName: 2 }),
      400,
      'INVALID_HASH',
      /^hash: /,
    ],
    ['no workspace', json({ hash }), 400, 'INVALID_WORKSPACE', /^workspace: /],
    [
      'a bad workspace and file name',
      json({ hash, workspace: 'x', fileName: 2 }),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      'a lower-case workspace',
      json({ hash, workspace: workspace.toLowerCase() }),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      'null as workspace',
      json({ hash, workspace: null }),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      'an unknown workspace',
      json({ hash, workspace: ulid() }),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      "another organisation's workspace",
      json({ hash, workspace: other.workspaceId }),
      400,
      'INVALID_WORKSPACE',
      /^workspace: /,
    ],
    [
      'NUL in the file name',
      json({ ...base, fileName: 'a\0b' }),
      400,
      'INVALID_REQUEST',
      /^fileName: .*NUL/,
    ],
    [
      'a lone surrogate in the file name',
      text('"fileName":"a\\ud800"'),
      400,
      'INVALID_REQUEST',
      /^fileName: .*surrogate/,
    ],
    [
      'NUL in the description',
      json({ ...base, metadata: { description: '\0' } }),
      400,
      'INVALID_REQUEST',
      /^metadata.description: .*NUL/,
    ],
    [
      'a lone surrogate in the type',
      text('"mimeType":"\\udc00"'),
      400,
      'INVALID_REQUEST',
      /^mimeType: .*surrogate/,
    ],
    [
      'a file name of 256 characters',
      json({ ...base, fileName: 'x'.repeat(256) }),
      400,
      'INVALID_REQUEST',
      /^fileName: .*255/,
    ],
    [
      '256 characters beyond U+FFFF',
      json({ ...base, fileName: '🎉'.repeat(256) }),
      400,
      'INVALID_REQUEST',
      /^fileName: .*255/,
    ],
    [
      'a type of 256 characters',
      json({ ...base, mimeType: 'x'.repeat(256) }),
      400,
      'INVALID_REQUEST',
      /^mimeType: /,
    ],
    [
      'a description of 501',
      json({ ...base, metadata: { description: 'x'.repeat(501) } }),
      400,
      'INVALID_REQUEST',
      /^metadata.description: .*500/,
    ],
    [
      'a number as file name',
      json({ ...base, fileName: 1 }),
      400,
      'INVALID_REQUEST',
      /^fileName: /,
    ],
    [
      'a fraction of a byte',
      json({ ...base, fileSize: 1.5 }),
      400,
      'INVALID_REQUEST',
      /^fileSize: must be a whole number$/,
    ],
    [
      'a negative size',
      json({ ...base, fileSize: -1 }),
      400,
      'INVALID_REQUEST',
      /^fileSize: must be at least 0$/,
    ],
    [
      'a size beyond 2^53',
      text('"fileSize":9007199254740993'),
      400,
      'INVALID_REQUEST',
      /^fileSize: /,
    ],
    ['an infinite size', text('"fileSize":1e999'), 400, 'INVALID_REQUEST', /^fileSize: /],
    [
      'a string as size',
      json({ ...base, fileSize: '1' }),
      400,
      'INVALID_REQUEST',
      /^fileSize: must be a number$/,
    ],
    [
      'an array as metadata',
      json({ ...base, metadata: [] }),
      400,
      'INVALID_REQUEST',
      /^metadata: /,
    ],
    [
      'true as metadata',
      json({ ...base, metadata: true }),
      400,
      'INVALID_REQUEST',
      /^metadata: must be an object$/,
    ],
    [
      'metadata of more than 16 kB',
      json({ ...base, metadata: { note: 'x'.repeat(16_384) } }),
      400,
      'INVALID_REQUEST',
      /^metadata: must have at most 16384 bytes as JSON$/,
    ],
    [
      'a number as description',
      json({ ...base, metadata: { description: 1 } }),
      400,
      'INVALID_REQUEST',
      /^metadata.description: must be a string$/,
    ],
    [
      'deep arrays as metadata',
      text(`"metadata":${deep}`),
      400,
      'INVALID_REQUEST',
      /^metadata\..*64/,
    ],
    [
      'deep arrays as description',
      text(`"metadata":{"description":${deep}}`),
      400,
      'INVALID_REQUEST',
      /^metadata.description\..*64/,
    ],
    [
      'an unknown scheme',
      json({ ...base, hashScheme: 'sha1' }),
      400,
      'INVALID_REQUEST',
      /^hashScheme: must be one of sha256-plain-v1, /,
    ],
  ];
  const before = await service.store.head();
  for (const [what, options, status, code, message] of rows) {
    const answer = await service.call('POST', '/proofs', { ...options, key });
    t.match(answer, { status, body: { success: false, code, message } }, what);
    t.strictSame(Object.keys(answer.body), ['success', 'code', 'message'], what);
    t.match(answer.headers.get('x-request-id'), /^[0-9A-Z]{26}$/, what);
    t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8', what);
  }
  t.equal(await service.store.head(), before, 'nothing was appended');
});

test('stores valid input byte for byte, and ignores unknown fields', async (t) => {
  const service = await startHttpService(t);
  const { key, workspaceId } = await service.openOrganisation();
  const longest = [
    { fileName: '🎉'.repeat(255), metadata: { description: '🎉'.repeat(500) } },
    { fileName: '', fileSize: 0, mimeType: '', metadata: {} },
    { fileName: '<b>\u202e"; DROP TABLE events; --\r\n\u0001', unknown: 'a\0', metadata: { x: 1 } },
    { fileName: 'e\u0301', fileSize: Number.MAX_SAFE_INTEGER, mimeType: 'x'.repeat(255) },
  ];
  for (const more of longest) {
    const json = { hash: randomDigest(), workspace: workspaceId, ...more };
    const headers = {
      prefer: 'respond-async',
      'content-type': 'Application/JSON; charset="UTF-8"',
    };
    const answer = await service.call('POST', '/proofs', { key, json, headers });
    t.equal(answer.status, 202);
    t.equal(answer.body.data.fileName, more.fileName);
    const [event] = (await service.store.readLog(0, 1_000, ['ProofRequested'])).slice(-1);
    t.match(event?.data, {
      fileName: more.fileName,
      fileSizeBytes: more.fileSize ?? null,
      mimeType: more.mimeType ?? null,
      description: (more.metadata as { description?: string })?.description ?? null,
    });
  }
});

test('metadata comes back as it was sent, or is refused by the name of its member', async (t) => {
  const service = await joinHttpService();
  const { key, workspaceId } = await service.openOrganisation();
  const headers = { 'content-type': 'application/json; charset=utf8', prefer: 'respond-async' };
  const post = (metadata: string) => {
    const body = `{"hash":"${randomDigest()}","workspace":"${workspaceId}","metadata":${metadata}}`;
    return service.call('POST', '/proofs', { key, body, headers });
  };
  const kept = '{"description":"d","id":9007199254740991,"share":0.1,"__proto__":{"a":null}}';
  const { status, body } = await post(kept);
  t.equal(status, 202);
  const read = await service.call('GET', `/proofs/${body.data.proofId}`, { key });
  t.match(read.text, /"id":9007199254740991,"share":0.1/);
  t.match(read.text, /"__proto__":\{"a":null\}/);
  for (const [metadata, field] of [
    ['{"id":12345678901234567890}', 'metadata.id'],
    ['{"a":{"b":1},"a":2}', 'metadata.a'],
    ['{"a":{"b":1e999}}', 'metadata.a.b'],
  ] as const) {
    const refused = await post(metadata);
    t.match(refused, { status: 400, body: { code: 'INVALID_REQUEST' } }, metadata);
    t.ok(refused.body.message.startsWith(`${field}: `), refused.body.message);
  }
});

test('accepts a body of exactly 1 MB', async (t) => {
  const service = await joinHttpService();
  const { key, workspaceId } = await service.openOrganisation();
  const head = `{"hash":"${hash}","workspace":"${workspaceId}","pad":"`;
  const body = `${head}${'x'.repeat(1_048_576 - head.length - 2)}"}`;
  t.equal(body.length, 1_048_576);
  const headers = { ...jsonType, prefer: 'respond-async' };
  t.match(await service.call('POST', '/proofs', { key, body, headers }), { status: 202 });
});
