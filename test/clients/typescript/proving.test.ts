import { test } from 'tap';
import type { Wait } from '../../../clients/typescript/src/calls/wait.ts';
import { ProofmarkError } from '../../../clients/typescript/src/errors.ts';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import { hashOf } from '../../support/proving-site.ts';
import {
  cutBefore,
  cutWithin,
  failure,
  json,
  type ReceivedCall,
  type ScriptedAnswer,
  startScriptedService,
} from '../../support/scripted-service.ts';

const workspace = '01M7XT7TQ3W1Y1YB2MWHC1M0JS';
const hash = 'ab'.repeat(32);
const proof = { proofId: 'P', txHash: 'T', timestamp: '2026-11-21T01:06:31.000Z', proofNonce: 'N' };
const proven = json(201, { success: true, data: proof });
const queued = failure(502, 'PROOF_NOT_RECORDED', {}, { proofId: 'P' });
const status = (blockchainStatus: string) =>
  json(200, { success: true, data: { blockchainStatus } });

async function site(t: Parameters<typeof startScriptedService>[0], ...answers: ScriptedAnswer[]) {
  const service = await startScriptedService(t, ...answers);
  const waits: number[] = [];
  const wait: Wait = async (ms) => void waits.push(ms);
  const proofmark = new Proofmark({ server: service.url, apiKey: 'k', workspace, wait });
  return { ...service, waits, proofmark };
}

const lines = (calls: readonly ReceivedCall[]) =>
  calls.map(({ method, path }) => `${method} ${path}`);

test('a queued proof is awaited, and then posted again for its nonce', async (t) => {
  const { proofmark, calls } = await site(
    t,
    queued,
    status('processing'),
    status('completed'),
    json(200, { success: true, alreadyProven: true, data: proof }),
  );
  t.match(await proofmark.proveHash(hash), { proofNonce: 'N', alreadyProven: true, hash });
  const get = 'GET /api/v1/proofs/P';
  t.strictSame(lines(calls), ['POST /api/v1/proofs', get, get, 'POST /api/v1/proofs']);
});

test('a hash in upper case is proven in lower case, as the API demands', async (t) => {
  const { proofmark, calls } = await site(t, proven);
  t.match(await proofmark.proveHash(hash.toUpperCase()), { hash, proofId: 'P' });
  t.equal(JSON.parse(calls[0]?.body ?? '').hash, hash);
});

test('a queued proof that is rolled back, or that the key may not read, is posted again', async (t) => {
  for (const answer of [failure(404, 'PROOF_NOT_FOUND'), failure(403, 'SCOPE_NOT_PERMITTED')]) {
    const { proofmark, calls } = await site(t, queued, answer, proven);
    t.match(await proofmark.proveHash(hash), { proofId: 'P', alreadyProven: false });
    t.equal(calls.length, 3);
  }
});

test('a ledger that is away is awaited longer than one call', async (t) => {
  const away = failure(502, 'XRPL_ERROR', { 'retry-after': '5' });
  const { proofmark, waits } = await site(t, ...Array.from({ length: 20 }, () => away), proven);
  t.match(await proofmark.proveHash(hash), { proofId: 'P' });
  t.strictSame(new Set(waits), new Set([5_000]));
});

/** More than one call repeats. */
const outage = Array.from({ length: 14 }, () => cutBefore);

test('an outage while a queued proof is awaited is no error before the patience is over', async (t) => {
  const { proofmark, calls } = await site(t, queued, ...outage, status('completed'), proven);
  t.match(await proofmark.proveHash(hash), { proofId: 'P' });
  t.equal(calls.length, 17);
  const gone = await site(t, queued, failure(401, 'INVALID_API_KEY'));
  await t.rejects(gone.proofmark.proveHash(hash), { code: 'INVALID_API_KEY' });
  t.equal(gone.calls.length, 2, 'a refusal is one');
});

test('a limit until tomorrow while a queued proof is awaited is an error at once', async (t) => {
  const limited = failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '80000' });
  const { proofmark, waits } = await site(t, queued, limited);
  await t.rejects(proofmark.proveHash(hash), { code: 'RATE_LIMIT_EXCEEDED' });
  t.ok(Math.max(...waits) < 80_000_000, `${waits}`);
});

test('an outage while many files are looked up is no error before the patience is over', async (t) => {
  const file = new File(['x'], 'x');
  const ofFile = (proofId: string | null, isProven: boolean) =>
    json(200, { success: true, data: [{ hash: hashOf('x'), proven: isProven, proofId }] });
  const results = (status: number, body: object) =>
    json(200, { success: true, data: [{ status, body }] });
  const { proofmark, calls } = await site(
    t,
    ...[...outage, ofFile(null, false)],
    results(502, { success: false, code: 'PROOF_NOT_RECORDED', message: '', proofId: 'P' }),
    ...[...outage, ofFile('P', true)],
    results(201, { success: true, data: proof }),
  );
  const found = await Array.fromAsync(proofmark.proveAll([file]));
  t.match(found, [{ status: 'proven', proof: { proofNonce: 'N' } }]);
  t.equal(calls.length, 32);
  const down = await site(t, cutBefore);
  const run = Array.fromAsync(down.proofmark.proveAll([file], { patienceMs: 0 }));
  await t.rejects(run, { code: 'CONNECTION_FAILED' });
});

test('the patience is a limit, and the last error remains', async (t) => {
  const { proofmark } = await site(t, failure(502, 'XRPL_ERROR', { 'retry-after': '5' }));
  await t.rejects(proofmark.proveHash(hash, { patienceMs: 1_000 }), { code: 'XRPL_ERROR' });
});

test('a refused proof fails at once', async (t) => {
  const { proofmark, calls } = await site(t, failure(400, 'INVALID_HASH'));
  await t.rejects(proofmark.proveHash('no hash'), { code: 'INVALID_HASH', status: 400 });
  t.equal(calls.length, 1);
});

test('the name of a file is sent, unless it is to stay secret', async (t) => {
  const { proofmark, calls } = await site(t, proven);
  const file = new File(['x'], 'a.txt', { type: 'text/plain' });
  await proofmark.prove(file);
  await proofmark.prove(file, { fileName: '' });
  const bodies = calls.map(({ body }) => JSON.parse(body));
  t.match(bodies[0], { fileName: 'a.txt', fileSize: 1, mimeType: 'text/plain', workspace });
  t.notOk('fileName' in bodies[1]);
});

test('an upload whose answer is lost is sent again with the same bytes', async (t) => {
  const stored = json(200, { success: true, alreadyProven: true, data: { id: 'D' } });
  const { proofmark, calls } = await site(t, cutWithin, stored);
  const bytes = new Blob(['part one, ', 'part two']).stream();
  t.match(await proofmark.upload(bytes, { fileName: 'a.txt' }), { id: 'D' });
  for (const { body } of calls) t.match(body, 'part one, part two');
});

const document = { id: 'D', documentId: 'D', revision: 2, proofNonce: null };
const queuedFile = failure(502, 'PROOF_NOT_RECORDED', {}, { proofId: 'P', documentId: 'D' });
const uploads = {
  upload: (proofmark: Proofmark) => proofmark.upload(new Blob(['x'])),
  uploadRevision: (proofmark: Proofmark) => proofmark.uploadRevision('D0', new Blob(['x'])),
};
const posts = (calls: readonly ReceivedCall[]) => calls.filter(({ method }) => method === 'POST');

for (const [name, send] of Object.entries(uploads)) {
  test(`${name}: a file whose proof is queued is read when it is proven, not uploaded again`, async (t) => {
    const { proofmark, calls } = await site(
      t,
      ...[queuedFile, status('processing'), cutBefore, status('completed'), cutBefore],
      json(200, { success: true, data: document }),
      json(200, { success: true, data: proof }),
    );
    t.strictSame(await send(proofmark), { ...document, proofNonce: 'N' });
    t.strictSame(lines(calls.slice(-2)), [
      'GET /api/v1/documents/D',
      'GET /api/v1/proofs/P?includeSalt=true',
    ]);
    t.equal(posts(calls).length, 1);
  });

  test(`${name}: a file whose proof was rolled back is uploaded again`, async (t) => {
    const stored = json(201, { success: true, data: document });
    const gone = failure(404, 'PROOF_NOT_FOUND');
    const { proofmark, calls } = await site(t, queuedFile, gone, stored);
    t.match(await send(proofmark), { id: 'D' });
    t.equal(posts(calls).length, 2);
  });

  test(`${name}: a file that is queued for longer than the patience is not uploaded again`, async (t) => {
    let now = Date.now();
    t.intercept(Date, 'now', { value: () => now });
    const { url, calls } = await startScriptedService(t, queuedFile, status('processing'));
    const wait: Wait = async (ms) => {
      now += ms;
    };
    const proofmark = new Proofmark({ server: url, apiKey: 'k', workspace, wait });
    const expected = { code: 'PROOF_NOT_RECORDED', proofId: 'P', documentId: 'D' };
    await t.rejects(send(proofmark), expected);
    t.equal(posts(calls).length, 1);
  });
}

test('a queued file of a key that may not read is uploaded again, but not a revision', async (t) => {
  const answers = [queuedFile, failure(403, 'SCOPE_NOT_PERMITTED')];
  const stored = json(201, { success: true, data: document });
  const first = await site(t, ...answers, stored);
  t.match(await uploads.upload(first.proofmark), { id: 'D' });
  const revision = await site(t, ...answers, stored);
  await t.rejects(uploads.uploadRevision(revision.proofmark), {
    ...{ code: 'PROOF_NOT_RECORDED', proofId: 'P', documentId: 'D' },
  });
  t.equal(posts(revision.calls).length, 1);
});

test('a revision is not uploaded again if it may be stored', async (t) => {
  const failures = {
    'a cut connection': cutBefore,
    'an answer that is cut': cutWithin,
    'a 500': failure(500, 'INTERNAL_ERROR'),
    'a 503': failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }),
  };
  const stored = json(201, { success: true, data: document });
  for (const [what, answer] of Object.entries(failures)) {
    const { proofmark, calls } = await site(t, answer, stored);
    await t.rejects(uploads.uploadRevision(proofmark), ProofmarkError, what);
    t.equal(calls.length, 1, what);
  }
  const limited = failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '1' });
  const away = failure(502, 'XRPL_ERROR', { 'retry-after': '1' });
  const { proofmark, calls } = await site(t, limited, away, stored);
  t.match(await uploads.uploadRevision(proofmark), { id: 'D' }, 'nothing was stored');
  t.equal(calls.length, 3);
});

test('the only workspace is found, and one of several must be named', async (t) => {
  const list = (...ids: string[]) => json(200, { success: true, data: ids.map((id) => ({ id })) });
  const { url, calls } = await startScriptedService(t, list('W1'), proven);
  const proofmark = new Proofmark({ server: url, apiKey: 'k' });
  await proofmark.proveHash(hash);
  await proofmark.proveHash(hash);
  t.equal(calls.length, 3, 'it is asked for once');
  t.equal(JSON.parse(calls[2]?.body ?? '').workspace, 'W1');
  const several = await startScriptedService(t, list('W1', 'W2'));
  const other = new Proofmark({ server: several.url, apiKey: 'k' });
  await t.rejects(other.proveHash(hash), { code: 'INVALID_OPTION' });
});

test('a certificate is awaited until its proof is completed', async (t) => {
  const pdf: ScriptedAnswer = (response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-');
  const { proofmark, calls } = await site(t, failure(409, 'PROOF_NOT_ANCHORED'), pdf);
  t.equal(Buffer.from(await proofmark.certificate('P')).toString(), '%PDF-');
  t.equal(calls.length, 2);
});
