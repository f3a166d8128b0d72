import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import type { Wait } from '../../../clients/typescript/src/calls/wait.ts';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import type { FileResult } from '../../../clients/typescript/src/proving/prove-all.ts';
import { newFolder } from '../../support/blobs.ts';
import { json, startScriptedService } from '../../support/scripted-service.ts';

const workspace = '01M7XT7TQ3W1Y1YB2MWHC1M0JS';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

interface Item {
  readonly hash: string;
  readonly fileName?: string;
  readonly fileSize?: number;
}

interface Result {
  readonly status: number;
  readonly body: object;
  readonly retryAfterSeconds?: number;
}

const failed = (code: string, more: object = {}, retryAfterSeconds?: number): Result => ({
  status: 502,
  body: { success: false, code, message: code, ...more },
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/**
 * A service that proves hashes as the real one does: each once, with its nonce in the first answer. `decide` may
 * give other results, and answer a whole batch instead.
 */
async function site(
  t: Pick<Test, 'teardown'>,
  decide: (item: Item, batch: number) => Result | null = () => null,
  headers: Readonly<Record<string, string>> = {},
) {
  const proofs = new Map<string, string>();
  const batches: Item[][] = [];
  const lookUps: string[][] = [];
  const service = await startScriptedService(t, (response, call) => {
    const { items, hashes } = JSON.parse(call.body);
    if (call.path.endsWith('/lookup')) {
      lookUps.push(hashes);
      const data = hashes.map((hash: string) => {
        const proofId = proofs.get(hash) ?? null;
        const known = { txHash: 'T', timestamp: '2026-11-21T01:06:31.000Z' };
        return { hash, proofId, proven: proofId !== null, ...known };
      });
      json(200, { success: true, data })(response, call);
      return;
    }
    batches.push(items);
    const data = items.map((item: Item): Result => {
      const decided = decide(item, batches.length);
      if (decided !== null) return decided;
      const isKnown = proofs.has(item.hash);
      proofs.set(item.hash, proofs.get(item.hash) ?? `P${proofs.size + 1}`);
      const proof = { proofId: proofs.get(item.hash), txHash: 'T', timestamp: 'now' };
      const proofNonce = isKnown ? null : `nonce of ${item.hash}`;
      return {
        status: isKnown ? 200 : 201,
        body: { success: true, data: { ...proof, proofNonce } },
      };
    });
    json(200, { success: true, data }, headers)(response, call);
  });
  const waits: number[] = [];
  const wait: Wait = async (ms) => void waits.push(ms);
  const proofmark = new Proofmark({ server: service.url, apiKey: 'k', workspace, wait });
  return { ...service, proofs, batches, lookUps, waits, proofmark };
}

async function filled(t: Pick<Test, 'teardown'>, texts: Readonly<Record<string, string>>) {
  const folder = join(await newFolder(t), 'folder');
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const inWords = (results: readonly FileResult[]) =>
  results.map((each) => `${each.name} ${each.status === 'failed' ? each.error.code : 'proven'}`);

test('the files of a folder are proven in batches, in the order of their names', async (t) => {
  const folder = await filled(t, { 'b.txt': 'b', 'a/1.txt': '1', 'a/2.txt': 'b', 'c.txt': 'c' });
  await symlink(folder, join(folder, 'loop'));
  const { proofmark, batches } = await site(t);
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

test('a hash that is proven already is not sent, and costs no item', async (t) => {
  const { proofmark, proofs, batches, lookUps } = await site(t);
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

test('a run with the journal of another goes on where it ended, and keeps the nonces', async (t) => {
  const folder = await filled(t, { '1.txt': '1', '2.txt': '2', '3.txt': '3' });
  const journal = join(folder, 'journal');
  const { proofmark, batches, calls } = await site(t);
  const options = { journal, batchSize: 1 };
  for await (const { name } of proofmark.proveAll(folder, options)) if (name === '2.txt') break;
  const before = batches.length;
  const results = await Array.fromAsync(proofmark.proveAll(folder, options));
  t.strictSame(inWords(results), ['1.txt proven', '2.txt proven', '3.txt proven']);
  for (const each of results) t.match(each, { proof: { proofNonce: /^nonce of/ } });
  const sent = batches.slice(before).flatMap((items) => items.map(({ fileName }) => fileName));
  t.strictSame(sent, ['3.txt']);
  t.equal((await stat(journal)).mode & 0o777, 0o600, 'only its owner may read it');
  const asked = calls.length;
  t.equal((await Array.fromAsync(proofmark.proveAll(folder, options))).length, 3);
  t.equal(calls.length, asked, 'a complete run asks nobody');
  await appendFile(join(folder, '2.txt'), '2');
  await Array.fromAsync(proofmark.proveAll(folder, options));
  t.match(batches.at(-1), [{ hash: hashOf('22') }], 'an altered file is a new one');
});

test('a batch whose answer a crash lost is sent again whole, for its nonces', async (t) => {
  const folder = await filled(t, { '1.txt': '1', '2.txt': '2' });
  const journal = join(folder, '../journal');
  const { proofmark, batches, lookUps, proofs } = await site(t);
  await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  // As after a crash in the line of the first proof: the service has proven, and kept the nonces.
  const text = await readFile(journal, 'utf8');
  await truncate(journal, text.indexOf('{"proven"') + 20);
  proofs.clear();
  const results = await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  for (const each of results) t.match(each, { proof: { proofNonce: /^nonce of/ } });
  t.strictSame([batches.length, lookUps.length], [2, 1], 'without asking for these hashes');
  const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
  const broken = lines.filter((line) => !line.endsWith('}'));
  t.equal(broken.length, 1, 'the cut line stands alone');
  const again = await Array.fromAsync(proofmark.proveAll(folder, { journal }));
  t.strictSame(again, results);
});

test('a journal of another service, of a later version or of something else is refused', async (t) => {
  const folder = await filled(t, { '1.txt': '1' });
  const journal = join(folder, '../journal');
  const refusal = { code: 'JOURNAL_NOT_USABLE' };
  const { proofmark } = await site(t);
  const other = await site(t);
  await Array.fromAsync(other.proofmark.proveAll(folder, { journal }));
  await t.rejects(Array.fromAsync(proofmark.proveAll(folder, { journal })), refusal);
  const later = (await readFile(journal, 'utf8')).replace('"version":1', '"version":2');
  await writeFile(journal, later.replace(other.url, proofmark.server));
  await t.rejects(Array.fromAsync(proofmark.proveAll(folder, { journal })), refusal);
  for (const text of ['a letter', 'a letter\n', '{"format":"x"}\n', '{}\n']) {
    await writeFile(journal, text);
    await t.rejects(Array.fromAsync(proofmark.proveAll(folder, { journal })), refusal, text);
    t.equal(await readFile(journal, 'utf8'), text, 'and stays as it was');
  }
  await writeFile(journal, '{"format":"proofm');
  t.equal((await Array.fromAsync(proofmark.proveAll(folder, { journal }))).length, 1);
  t.equal((await Array.fromAsync(proofmark.proveAll(folder, { journal }))).length, 1);
});

test('hashes that were rolled back are sent again, and no others', async (t) => {
  const { proofmark, batches, waits } = await site(t, ({ fileName }, batch) =>
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
  const { proofmark, batches, lookUps, proofs } = await site(t, ({ hash }, batch) => {
    if (batch > 1) return null;
    proofs.set(hash, 'P9');
    return failed('PROOF_NOT_RECORDED', { proofId: 'P9' });
  });
  const results = await Array.fromAsync(proofmark.proveAll([new File(['1'], '1')]));
  t.strictSame(inWords(results), ['1 proven']);
  t.strictSame([batches.length, lookUps.length], [2, 2]);
});

test('a refused file fails alone, and so does one that no attempt proves', async (t) => {
  const { proofmark } = await site(t, ({ fileName }) => {
    if (fileName === '1') return failed('INVALID_REQUEST');
    return fileName === '2' ? failed('XRPL_ERROR', {}, 5) : null;
  });
  const files = ['1', '2', '3'].map((name) => new File([name], name));
  const results = await Array.fromAsync(proofmark.proveAll(files, { patienceMs: 4_000 }));
  t.strictSame(inWords(results), ['1 INVALID_REQUEST', '2 XRPL_ERROR', '3 proven']);
});

test('a batch is no larger than the items that are left of the limit', async (t) => {
  const headers = { ratelimit: '"minute";r=50;t=60, "items";r=2;t=40000' };
  const { proofmark, batches } = await site(t, undefined, headers);
  const files = Array.from({ length: 6 }, (_, at) => new File([`${at}`], `${at}`));
  const results = await Array.fromAsync(proofmark.proveAll(files, { batchSize: 3 }));
  t.equal(results.length, 6);
  t.strictSame(
    batches.map((items) => items.length),
    [3, 2, 1],
  );
});

test('long names are shortened or left out, and facts can be chosen', async (t) => {
  const { proofmark, batches } = await site(t);
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
  const { proofmark, batches } = await site(t);
  const describe = () => ({ metadata: { text: 'ä'.repeat(8_000) } });
  const files = Array.from({ length: 300 }, (_, at) => new File([`${at}`], `${at}`));
  await Array.fromAsync(proofmark.proveAll(files, { describe }));
  t.equal(batches.length, 2);
  for (const items of batches) {
    t.ok(Buffer.byteLength(JSON.stringify({ workspace, items })) < 4_194_304);
  }
});

test('a signal ends a run with its reason', async (t) => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const { proofmark } = await site(t, () => {
    stop.abort(reason);
    return null;
  });
  const run = proofmark.proveAll([new File(['1'], '1')], { signal: stop.signal });
  await t.rejects(Array.fromAsync(run), reason);
});
