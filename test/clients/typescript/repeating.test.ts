import { type Test, test } from 'tap';
import type { Wait } from '../../../clients/typescript/src/calls/wait.ts';
import { ProofmarkError } from '../../../clients/typescript/src/errors.ts';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
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

const workspace = '01M7XT7TQ3W1Y1YB2MWHC1M0JS';
const workspaces = json(200, { success: true, data: [{ id: workspace, name: 'W' }] });

/** A client of a scripted service, whose waits are noted and take no time. */
async function site(t: Pick<Test, 'teardown'>, ...answers: readonly ScriptedAnswer[]) {
  const service = await startScriptedService(t, ...answers);
  const waits: number[] = [];
  const wait: Wait = async (ms, signal) => {
    signal?.throwIfAborted();
    waits.push(ms);
  };
  const apiKey = 'svc_live_key';
  const client = (more: { readonly timeoutMs?: number } = {}) =>
    new Proofmark({ server: service.url, apiKey, wait, ...more });
  return { ...service, waits, client, proofmark: client() };
}

async function errorOf(promise: Promise<unknown>): Promise<ProofmarkError> {
  const error = await promise.then(
    () => null,
    (error) => error,
  );
  if (error instanceof ProofmarkError) return error;
  throw new Error('no ProofmarkError', { cause: error });
}

test('a 503 is repeated after the seconds that it asks for', async (t) => {
  const busy = failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '7' });
  const { proofmark, calls, waits } = await site(t, busy, busy, workspaces);
  const { body } = await proofmark.api.GET('/workspaces');
  t.equal(body.data[0]?.id, workspace);
  t.strictSame(waits, [7_000, 7_000]);
  t.equal(calls.length, 3);
});

test('a call is repeated five times at most', async (t) => {
  const busy = failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1', 'x-request-id': 'R1' });
  const { proofmark, calls } = await site(t, busy);
  const error = await errorOf(proofmark.api.GET('/workspaces'));
  t.match(error, { code: 'SERVICE_UNAVAILABLE', status: 503, requestId: 'R1' });
  t.match(error, { retryAfterSeconds: 1, retry: 'if idempotent', retryable: true });
  t.equal(calls.length, 6);
});

test('a 429 is repeated once, also for a call that is not idempotent', async (t) => {
  const limited = failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '17' });
  const created = json(201, { success: true, data: { id: 'W' } });
  const url = 'https://example.org/';
  const first = await site(t, limited, created);
  await first.proofmark.api.POST('/webhooks', { body: { url, events: ['proof.completed'] } });
  t.strictSame(first.waits, [17_000]);
  const second = await site(t, limited);
  const error = await errorOf(second.proofmark.api.GET('/workspaces'));
  t.match(error, { code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 17, retry: 'once' });
  t.equal(second.calls.length, 2);
});

test('a wait until tomorrow is an error at once', async (t) => {
  const limited = failure(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '80000' });
  const { proofmark, calls, waits } = await site(t, limited);
  const error = await errorOf(proofmark.api.GET('/workspaces'));
  t.equal(error.retryAfterSeconds, 80_000);
  t.strictSame([calls.length, waits.length], [1, 0]);
});

test('a call waits while the RateLimit headers of an earlier one say that it would be refused', async (t) => {
  const left = (r: number) => ({ ratelimit: `"minute";r=${r};t=60, "day";r=90;t=5000` });
  const body = { success: true, data: [] };
  const { proofmark, waits } = await site(t, json(200, body, left(1)), json(200, body, left(0)));
  await proofmark.api.GET('/workspaces');
  await proofmark.api.GET('/workspaces');
  t.strictSame(waits, []);
  await proofmark.api.GET('/workspaces');
  t.equal(waits.length, 1);
  t.ok((waits[0] ?? 0) > 50_000 && (waits[0] ?? 0) <= 60_000, `${waits}`);
});

test('502 XRPL_ERROR is repeated after Retry-After, also for an upload', async (t) => {
  const away = failure(502, 'XRPL_ERROR', { 'retry-after': '5' });
  const { proofmark, calls, waits } = await site(t, away, json(201, { success: true, data: {} }));
  await proofmark.upload(new Blob(['bytes']), { workspace, fileName: 'a.txt' });
  t.strictSame(waits, [5_000]);
  for (const { body } of calls) t.match(body, /filename="a\.txt"[\s\S]*bytes/);
});

test('500 is repeated once, if the call is idempotent', async (t) => {
  const broken = failure(500, 'INTERNAL_ERROR');
  const get = await site(t, broken);
  t.equal((await errorOf(get.proofmark.api.GET('/workspaces'))).code, 'INTERNAL_ERROR');
  t.equal(get.calls.length, 2);
  const post = await site(t, broken);
  const body = { scopes: ['documents:read' as const] };
  t.equal((await errorOf(post.proofmark.api.POST('/api-keys', { body }))).code, 'INTERNAL_ERROR');
  t.equal(post.calls.length, 1);
});

for (const [name, answer] of Object.entries({
  'before the answer': cutBefore,
  'within it': cutWithin,
})) {
  test(`a connection that is cut ${name} is repeated with the same body`, async (t) => {
    const proof = { proofId: 'P', txHash: 'T', proofNonce: null };
    const { proofmark, calls, waits } = await site(
      t,
      answer,
      answer,
      json(201, { success: true, data: proof }),
    );
    const proven = await proofmark.proveHash('ab'.repeat(32), { workspace });
    t.match(proven, { proofId: 'P', alreadyProven: false });
    t.equal(calls.length, 3);
    t.equal(new Set(calls.map(({ body }) => body)).size, 1);
    t.equal(waits.length, 2);
    t.ok((waits[1] ?? 0) > (waits[0] ?? 0) / 2, 'the pauses grow');
  });
}

test('a call that is not idempotent is not repeated after a broken connection', async (t) => {
  const { proofmark, calls } = await site(t, cutWithin);
  const body = { url: 'https://example.org/', events: ['proof.completed' as const] };
  const error = await errorOf(proofmark.api.POST('/webhooks', { body }));
  t.match(error, { code: 'CONNECTION_FAILED', status: null });
  t.match(error.message, /may have taken effect/);
  t.equal(calls.length, 1);
});

test('a resource that was deleted by a call whose answer was lost counts as deleted', async (t) => {
  const gone = failure(404, 'WEBHOOK_NOT_FOUND');
  const { proofmark } = await site(t, cutBefore, gone);
  const params = { path: { id: workspace } };
  t.equal((await proofmark.api.DELETE('/webhooks/{id}', { params })).status, 204);
  const other = await site(t, gone);
  const error = await errorOf(other.proofmark.api.DELETE('/webhooks/{id}', { params }));
  t.equal(error.code, 'WEBHOOK_NOT_FOUND');
});

for (const [name, answer] of Object.entries({
  'never answers': silence,
  'pauses within an answer': stall,
})) {
  test(`a service that ${name} fails the call in time`, async (t) => {
    const { client, calls } = await site(t, answer, workspaces);
    const proofmark = client({ timeoutMs: 500 });
    t.equal((await proofmark.api.GET('/workspaces')).status, 200);
    t.equal(calls.length, 2);
    const always = await site(t, answer);
    const error = await errorOf(always.client({ timeoutMs: 20 }).api.GET('/workspaces'));
    t.equal(error.code, 'CONNECTION_FAILED');
    t.equal((error.cause as Error).name, 'TimeoutError');
  });
}

test('an answer may take longer than the time limit if it does not pause', async (t) => {
  const slow: ScriptedAnswer = (response) => {
    const parts = [...JSON.stringify({ success: true, data: [] })];
    response.writeHead(200, { 'content-type': 'application/json' });
    const next = () => {
      const part = parts.shift();
      if (part === undefined) response.end();
      else response.write(part, () => setTimeout(next, 50));
    };
    next();
  };
  const { client, calls } = await site(t, slow);
  const startedAt = performance.now();
  await client({ timeoutMs: 1_000 }).api.GET('/workspaces');
  t.ok(performance.now() - startedAt > 1_000);
  t.equal(calls.length, 1);
});

test('pages of a gateway are errors without a code, and repeated by their status', async (t) => {
  const page =
    (status: number): ScriptedAnswer =>
    (response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  const { proofmark, calls } = await site(t, page(504), page(502), workspaces);
  await proofmark.api.GET('/workspaces');
  t.equal(calls.length, 3);
  const teapot = await site(t, page(418));
  t.match(await errorOf(teapot.proofmark.api.GET('/workspaces')), {
    code: 'UNEXPECTED_ANSWER',
    status: 418,
    retryable: false,
  });
  const captive = await site(t, page(200));
  t.match(await errorOf(captive.proofmark.api.GET('/workspaces')), { code: 'UNEXPECTED_ANSWER' });
});

test('a code of a later version is an error with that code', async (t) => {
  const { proofmark, calls } = await site(t, failure(409, 'A_LATER_CODE'));
  const error = await errorOf(proofmark.api.GET('/workspaces'));
  t.match(error, { code: 'A_LATER_CODE', retry: 'never' });
  t.equal(calls.length, 1);
});

test('the key goes to calls of the API only, and never to another address', async (t) => {
  const health = await site(t, json(200, { success: true }));
  await health.proofmark.api.GET('/healthz');
  t.equal(health.calls[0]?.headers.authorization, undefined);
  t.equal(health.calls[0]?.path, '/healthz');
  const elsewhere: ScriptedAnswer = (response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  const redirected = await site(t, elsewhere);
  const error = await errorOf(redirected.proofmark.api.GET('/workspaces'));
  t.equal(error.code, 'CONNECTION_FAILED');
  t.equal(redirected.calls[0]?.headers.authorization, 'Bearer svc_live_key');
});

test('a signal ends a call and a wait with its reason', async (t) => {
  const reason = new Error('enough');
  const inCall = new AbortController();
  const silent = await site(t, () => inCall.abort(reason));
  const { signal } = inCall;
  await t.rejects(silent.proofmark.api.GET('/workspaces', { signal }), reason);
  const inWait = new AbortController();
  const busy = failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '60' });
  const { url } = await startScriptedService(t, (response, call) => {
    busy(response, call);
    setTimeout(() => inWait.abort(reason), 20);
  });
  const waiting = new Proofmark({ server: url, apiKey: 'k' });
  await t.rejects(waiting.api.GET('/workspaces', { signal: inWait.signal }), reason);
  await t.rejects(waiting.api.GET('/workspaces', { signal: AbortSignal.abort(reason) }), reason);
});

test('a server that is no web address is refused', async (t) => {
  for (const server of ['proofs.example.org', 'ftp://example.org', 'https://user@example.org']) {
    t.throws(() => new Proofmark({ server }), { code: 'INVALID_OPTION' }, server);
  }
  t.equal(
    new Proofmark({ server: 'https://example.org/prefix//' }).server,
    'https://example.org/prefix',
  );
});
