import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import type { Wait } from '../../../clients/typescript/src/calls/wait.ts';
import { folderFiles } from '../../../clients/typescript/src/files/folder-files.ts';
import { type FileResult, Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import {
  failed,
  filled,
  hashOf,
  inWords,
  startProvingSite,
  workspace,
} from '../../support/proving-site.ts';
import {
  cutBefore,
  cutWithin,
  failure,
  json,
  type ScriptedAnswer,
  silence,
  stall,
  startScriptedService,
} from '../../support/scripted-service.ts';

test('the files of a folder are proven in batches, in the order of their names', async (t) => {
  const folder = await filled(t, { 'b.txt': 'b', 'a/1.txt': '1', 'a/2.txt': 'b', 'c.txt': 'c' });
  await symlink(folder, join(folder, 'loop'));
  const { proofmark, batches } = await startProvingSite(t);
  const results = await Array.fromAsync(proofmark.proveAll(folder, { batchSize: 3 }));
  t.strictSame(inWords(results), [
    'a/1.txt proven',
    'a/2.txt proven',
    'b.txt proven',
    'c.txt proven',
    'loop FILE_NOT_READABLE',
  ]);
  t.strictSame(
    batches.map((items) => items.map(({ fileName }) => fileName)),
    [['a/1.txt', 'a/2.txt'], ['c.txt']],
    'equal files are sent once',
  );
  t.match(batches[0]?.[0], { hash: hashOf('1'), fileSize: 1 });
  const [first] = results;
  t.match(first, { size: 1, hash: hashOf('1'), proof: { proofNonce: `nonce of ${hashOf('1')}` } });
});

test('a folder below that is gone meanwhile fails alone, and a missing folder is an error', async (t) => {
  const folder = await filled(t, { 'a.txt': 'a', 'b/1.txt': '1', 'c.txt': 'c' });
  const { proofmark } = await startProvingSite(t);
  const found: FileResult[] = [];
  for await (const { name, path } of folderFiles(folder)) {
    if (name === 'a.txt') await rm(join(folder, 'b'), { recursive: true });
    found.push(...(await Array.fromAsync(proofmark.proveAll([{ name, file: path }]))));
  }
  t.strictSame(inWords(found), ['a.txt proven', 'b FILE_NOT_READABLE', 'c.txt proven']);
  const missing = Array.fromAsync(proofmark.proveAll(join(folder, 'b')));
  await t.rejects(missing, { code: 'FILE_NOT_READABLE', cause: { code: 'ENOENT' } });
});

test('a hash that is proven already is not sent, and costs no item', async (t) => {
  const { proofmark, proofs, batches, lookUps } = await startProvingSite(t);
  proofs.set(hashOf('known'), 'P0');
  const files = [new File(['known'], 'k.txt'), new File(['new'], 'n.txt')];
  const results = await Array.fromAsync(proofmark.proveAll(files));
  t.match(results[0], { status: 'proven', proof: { proofId: 'P0', proofNonce: null } });
  t.strictSame(
    batches.map((items) => items.map(({ hash }) => hash)),
    [[hashOf('new')]],
  );
  t.equal(lookUps.length, 1);
});

test('hashes that were rolled back are sent again, and no others', async (t) => {
  const { proofmark, batches, waits } = await startProvingSite(t, ({ fileName }, batch) =>
    batch === 1 && fileName === '2' ? failed('XRPL_ERROR', {}, 5) : null,
  );
  const files = ['1', '2', '3'].map((name) => new File([name], name));
  const results = await Array.fromAsync(proofmark.proveAll(files));
  t.strictSame(inWords(results), ['1 proven', '2 proven', '3 proven']);
  t.strictSame(
    batches.map((items) => items.length),
    [3, 1],
  );
  t.strictSame(waits, [5_000]);
});

test('queued hashes are awaited by look-ups, which cost no items', async (t) => {
  const { proofmark, batches, lookUps, proofs } = await startProvingSite(t, ({ hash }, batch) => {
    if (batch > 1) return null;
    proofs.set(hash, 'P9');
    return failed('PROOF_NOT_RECORDED', { proofId: 'P9' });
  });
  const results = await Array.fromAsync(proofmark.proveAll([new File(['1'], '1')]));
  t.strictSame(inWords(results), ['1 proven']);
  t.strictSame([batches.length, lookUps.length], [2, 2]);
});

test('a refused file fails alone, and so does one that no attempt proves', async (t) => {
  const { proofmark } = await startProvingSite(t, ({ fileName }) => {
    if (fileName === '1') return failed('INVALID_REQUEST');
    return fileName === '2' ? failed('XRPL_ERROR', {}, 5) : null;
  });
  const files = ['1', '2', '3'].map((name) => new File([name], name));
  const results = await Array.fromAsync(proofmark.proveAll(files, { patienceMs: 4_000 }));
  t.strictSame(inWords(results), ['1 INVALID_REQUEST', '2 XRPL_ERROR', '3 proven']);
});

test('a batch is no larger than the items that are left of the limit', async (t) => {
  const headers = { ratelimit: '"minute";r=50;t=60, "items";r=2;t=40000' };
  const { proofmark, batches } = await startProvingSite(t, undefined, headers);
  const files = Array.from({ length: 6 }, (_, at) => new File([`${at}`], `${at}`));
  const results = await Array.fromAsync(proofmark.proveAll(files, { batchSize: 3 }));
  t.equal(results.length, 6);
  t.strictSame(
    batches.map((items) => items.length),
    [3, 2, 1],
  );
});

test('long names are shortened or left out, and facts can be chosen', async (t) => {
  const { proofmark, batches } = await startProvingSite(t);
  const long = `${'d/'.repeat(200)}a.txt`;
  const names = [long, 'x'.repeat(300)];
  const files = names.map((name) => ({ name, file: new TextEncoder().encode(name) }));
  await Array.fromAsync(proofmark.proveAll(files));
  t.strictSame(
    batches[0]?.map(({ fileName }) => fileName),
    ['a.txt', undefined],
  );
  const describe = () => ({ metadata: { case: 7 } });
  const options = { describe, hashScheme: 'sha256-plain-v1' } as const;
  await Array.fromAsync(proofmark.proveAll([new File(['x'], 'x')], options));
  t.match(batches.at(-1), [{ metadata: { case: 7 }, hashScheme: 'sha256-plain-v1' }]);
  t.notOk('fileName' in (batches.at(-1)?.[0] ?? {}));
});

test('large descriptions are spread over batches of less than 4 MB', async (t) => {
  const { proofmark, batches } = await startProvingSite(t);
  const describe = () => ({ metadata: { text: 'ä'.repeat(8_000) } });
  const files = Array.from({ length: 300 }, (_, at) => new File([`${at}`], `${at}`));
  await Array.fromAsync(proofmark.proveAll(files, { describe }));
  t.equal(batches.length, 2);
  for (const items of batches) {
    t.ok(Buffer.byteLength(JSON.stringify({ workspace, items })) < 4_194_304);
  }
});

test('a folder is proven in spite of limits, gateways, cut connections and silence', async (t) => {
  const limited = failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '3' });
  const busy = failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '2' });
  const gateway: ScriptedAnswer = (response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  const unknown = { hash: hashOf('1'), proven: false, proofId: null };
  const proof = { proofId: 'P', txHash: 'T', timestamp: 'now', proofNonce: 'N' };
  const result = { status: 201, body: { success: true, data: proof } };
  const service = await startScriptedService(
    t,
    ...[limited, cutWithin, silence, json(200, { success: true, data: [unknown] })],
    ...[busy, gateway, cutBefore, stall, limited, json(200, { success: true, data: [result] })],
  );
  const waits: number[] = [];
  const wait: Wait = async (ms) => void waits.push(ms);
  const options = { server: service.url, apiKey: 'k', workspace, wait, timeoutMs: 1_000 };
  const [found] = await Array.fromAsync(new Proofmark(options).proveAll([new File(['1'], '1')]));
  t.match(found, { status: 'proven', proof: { proofNonce: 'N' } });
  t.equal(new Set(service.calls.map(({ body }) => body)).size, 2, 'the same look-up and batch');
  t.equal(service.calls.length, 10);
  t.equal(waits.length, 8);
});

test('a signal ends a run with its reason', async (t) => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const { proofmark } = await startProvingSite(t, () => {
    stop.abort(reason);
    return null;
  });
  const run = proofmark.proveAll([new File(['1'], '1')], { signal: stop.signal });
  await t.rejects(Array.fromAsync(run), reason);
});
