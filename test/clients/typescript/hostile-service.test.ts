import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { ProofmarkError } from '../../../clients/typescript/src/errors.ts';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import { newFolder } from '../../support/blobs.ts';
import { json, type ScriptedAnswer, startScriptedService } from '../../support/scripted-service.ts';

const workspace = '01M7XT7TQ3W1Y1YB2MWHC1M0JS';
const proofId = '01M7XT7V10RJ1CFD26ZBSKQXP6';
const [hash, other] = ['a'.repeat(64), 'b'.repeat(64)];
const timestamp = '2026-11-21T01:06:31.000Z';
const anchored = { proofId, txHash: 'AB', timestamp, proofNonce: null };
const known = { proven: true, blockchainStatus: 'completed', ...anchored };
const of = (data: unknown) => json(200, { success: true, data });

async function clientOf(t: Pick<Test, 'teardown'>, ...answers: readonly ScriptedAnswer[]) {
  const service = await startScriptedService(t, ...answers);
  const wait = async () => {};
  return { ...service, client: new Proofmark({ server: service.url, workspace, wait }) };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error) => (error instanceof ProofmarkError ? error.code : `${error}`),
  );
}

const files = [
  { name: 'a.txt', file: new Blob(['a']) },
  { name: 'b.txt', file: new Blob(['b']) },
];

async function prove(client: Proofmark, journal?: string): Promise<unknown[]> {
  const named = files.map(({ name, file }) => ({ name, file: new File([file], name) }));
  const results: unknown[] = [];
  for await (const one of client.proveAll(named, { patienceMs: 0, ...(journal && { journal }) })) {
    results.push(one.status);
  }
  return results;
}

test('a look-up that is answered for another hash, or for more or fewer, is an error', async (t) => {
  const wrong: unknown[] = [
    [{ hash: other, ...known }],
    [],
    [
      { hash, ...known },
      { hash, ...known },
    ],
    { 0: { hash, ...known }, length: 1 },
    [null],
    null,
    'x',
  ];
  for (const data of wrong) {
    const { client } = await clientOf(t, of(data));
    t.equal(await codeOf(client.lookUp([hash])), 'UNEXPECTED_ANSWER', JSON.stringify(data));
  }
});

test('a batch with fewer or more results, one proof for two hashes, or halves of proofs is an error', async (t) => {
  const unknown: ScriptedAnswer = (response, { body }) => {
    const { hashes } = JSON.parse(body);
    const nothing = { proven: false, blockchainStatus: null, proofId: null, txHash: null };
    of(hashes.map((each: string) => ({ hash: each, ...nothing, timestamp: null })))(response, {
      ...{ method: '', path: '', headers: {}, body },
    });
  };
  const one = { status: 201, body: { success: true, data: anchored } };
  const wrong: unknown[] = [
    [one],
    [one, one, one],
    [one, one],
    [one, { status: 201, body: { success: true, data: null } }],
    [one, { status: 201, body: { success: true, data: { ...anchored, txHash: null } } }],
    [one, { status: 409, body: { success: false } }],
    [one, null],
    'ab',
  ];
  for (const data of wrong) {
    const { client } = await clientOf(t, unknown, of(data));
    t.equal(await codeOf(prove(client)), 'UNEXPECTED_ANSWER', JSON.stringify(data));
  }
});

test('answers that are no JSON object, or are larger than any, are errors', async (t) => {
  const body = (text: string, type = 'application/json'): ScriptedAnswer => {
    return (response) => void response.writeHead(200, { 'content-type': type }).end(text);
  };
  const endless: ScriptedAnswer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const part = Buffer.alloc(1_048_576, ' ');
    const more = () => response.write(part, (error) => !error && more());
    more();
  };
  const deep = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const answers = [body('null'), body('7'), body(''), body('<html>', 'text/html'), endless];
  for (const answer of answers) {
    const { client } = await clientOf(t, answer);
    t.equal(await codeOf(client.api.GET('/workspaces')), 'UNEXPECTED_ANSWER');
  }
  const { client } = await clientOf(t, body(deep));
  t.equal(await codeOf(client.lookUp([hash])), 'UNEXPECTED_ANSWER');
});

test('a list that repeats one page for ever ends', async (t) => {
  const page = json(200, {
    ...{ success: true, data: [{ runId: 'x' }] },
    meta: { page: 1, limit: 1, total: 10 ** 9 },
  });
  const { client, calls } = await clientOf(t, page);
  const found: unknown[] = [];
  const all = async () => {
    for await (const run of client.list('/agent/runs')) found.push(run);
  };
  t.equal(await codeOf(all()), 'UNEXPECTED_ANSWER');
  t.equal(found.length, 1);
  t.ok(calls.length < 20);
});

test('a wait of a year is an error at once, and one of the past is none', async (t) => {
  const busy = (seconds: string) =>
    json(503, { code: 'SERVICE_UNAVAILABLE', message: 'busy' }, { 'retry-after': seconds });
  for (const seconds of ['31536000', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']) {
    const { client, calls } = await clientOf(t, busy(seconds));
    t.equal(await codeOf(client.api.GET('/workspaces')), 'SERVICE_UNAVAILABLE');
    t.equal(calls.length, 1);
  }
  for (const seconds of ['-5', '0', 'Mon, 01 Jan 2001 00:00:00 GMT', 'soon']) {
    const { client } = await clientOf(t, busy(seconds), of([]));
    t.equal(await codeOf(client.api.GET('/workspaces')), 'no error', seconds);
  }
});

test('a journal is not written through a symbolic link, and its odd lines say nothing', async (t) => {
  const folder = await newFolder(t);
  const { client, url, calls } = await clientOf(t, of('x'));
  await symlink(join(folder, 'target'), join(folder, 'link'));
  t.equal(await codeOf(prove(client, join(folder, 'link'))), 'JOURNAL_NOT_USABLE');
  t.rejects(readFile(join(folder, 'target')));
  const header = { format: 'proofmark/journal', version: 1, server: url, workspace };
  const lines: unknown[] = [
    header,
    { sent: 7 },
    { sent: [null, '../../x'] },
    { proven: hash },
    { proven: hash, proof: null },
    { proven: 7, proof: anchored },
    { file: 'a.txt', state: 1, hash: '../..', size: -1 },
    [],
    null,
    '__proto__',
  ];
  const path = join(folder, 'journal');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  t.equal(await codeOf(prove(client, path)), 'UNEXPECTED_ANSWER');
  t.match(calls.at(-1), { path: '/api/v1/proofs/lookup' });
});
