import { createHmac } from 'node:crypto';
import { type Test, test } from 'tap';
import { type ProofOrder, requestProof } from '../../../src/commands/request-proof.ts';
import { batchResponse, queuedBatchResponse } from '../../../src/http/proofs/batch-schema.ts';
import { query } from '../../embedded/run-service.ts';
import { testDeps } from '../../support/event-store.ts';
import { type ServiceChanges, startHttpService } from '../../support/http-service.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';
import { until } from '../../support/until.ts';

interface Item {
  readonly hash?: unknown;
  readonly [member: string]: unknown;
}

/** A service with an organisation; `anchors` says if every proof is anchored at once. */
async function start(t: Test, services: ServiceChanges = {}, { anchors = true } = {}) {
  const service = await startHttpService(t, { services });
  const {
    events: { signal },
  } = service.services;
  const anchoring = await createScriptedAnchoring(service.store, { signal });
  if (anchors) anchoring.follow(t);
  const organisation = await service.openOrganisation();
  const { key, workspaceId } = organisation;
  const batch = (
    items: readonly Item[],
    headers: Record<string, string> = {},
    as: { readonly key: string; readonly workspaceId: string } = { key, workspaceId },
  ) => {
    const json = { workspace: as.workspaceId, items };
    return service.call('POST', '/proofs/batch', { key: as.key, json, headers });
  };
  const post = (hash: string, headers: Record<string, string> = {}) =>
    service.call('POST', '/proofs', { key, json: { hash, workspace: workspaceId }, headers });
  const count = async (type: string) => {
    const sql = `SELECT count(*)::int AS events FROM events WHERE type = '${type}'`;
    return Number((await query(service.databaseUrl, sql))[0]?.events);
  };
  return { ...organisation, service, anchoring, batch, post, count };
}

const queued = { prefer: 'respond-async' };
const digests = (count: number) => Array.from({ length: count }, randomDigest);
const itemsOf = (hashes: readonly string[]) => hashes.map((hash) => ({ hash }));
const statusesOf = (body: { data: { status: number }[] }) => body.data.map(({ status }) => status);

test('each hash of a batch gets the answer that it would get alone, in order', async (t) => {
  const { batch, post } = await start(t);
  const [known = '', first = '', plain = ''] = digests(3);
  const before = await post(known);
  const { status, body, headers } = await batch([
    { hash: first, fileName: 'a.pdf', fileSize: 3, metadata: { description: 'one', case: 7 } },
    { hash: known },
    { hash: first.toUpperCase() },
    { hash: plain, hashScheme: 'sha256-plain-v1', fileName: null },
    { hash: randomDigest(), fileSize: -1 },
    { fileName: 'no hash' },
  ]);
  t.equal(status, 200);
  t.equal(headers.get('preference-applied'), null);
  t.strictSame(batchResponse.strict().parse(body), body);
  t.strictSame(statusesOf(body), [201, 200, 400, 201, 400, 400]);
  const [made, joined, upper, plainly, negative, absent] = body.data;
  const { proofNonce, proofCommitment } = made.body.data;
  const hmac = createHmac('sha256', Buffer.from(proofNonce, 'hex'));
  t.equal(proofCommitment, hmac.update(Buffer.from(first, 'hex')).digest('hex'));
  t.strictSame(joined.body, (await post(known)).body, 'as POST /proofs answers now');
  t.equal(joined.body.data.proofId, before.body.data.proofId);
  t.match(upper.body, { success: false, code: 'INVALID_HASH', message: /^hash: / });
  t.match(plainly.body.data, { hashScheme: 'sha256-plain-v1', proofNonce: null });
  t.match(negative.body, { code: 'INVALID_REQUEST', message: 'fileSize: must be at least 0' });
  t.match(absent.body, { code: 'INVALID_HASH' });
});

test('a queued batch is answered 202 before anything is anchored, and settles later', async (t) => {
  const { batch, anchoring, service, key } = await start(t, {}, { anchors: false });
  const hashes = digests(3);
  const { status, body, headers } = await batch(itemsOf(hashes), queued);
  t.equal(status, 202);
  t.equal(headers.get('preference-applied'), 'respond-async');
  t.strictSame(queuedBatchResponse.strict().parse(body), body);
  t.strictSame(statusesOf(body), [202, 202, 202]);
  for (const [place, { body: answer }] of body.data.entries()) {
    t.match(answer.data, { fileHash: hashes[place], blockchainStatus: 'pending' });
    t.match(answer.data.proofNonce, /^[0-9a-f]{64}$/);
    await anchoring.anchor(answer.data.proofId);
    const now = await service.call('GET', `/proofs/${answer.data.proofId}`, { key });
    t.equal(now.body.data.blockchainStatus, 'completed');
  }
  const again = await batch(itemsOf(hashes), queued);
  t.strictSame([again.status, ...statusesOf(again.body)], [202, 200, 200, 200]);
});

test('1,000 hashes are appended in a few transactions, and each nonce is given once', async (t) => {
  const { batch, service, count } = await start(t, {}, { anchors: false });
  const items = itemsOf(digests(1_000));
  const { status, body } = await batch(items, queued);
  t.equal(status, 202);
  t.equal(
    new Set(body.data.map((one: { body: { data: { proofId: string } } }) => one.body.data.proofId))
      .size,
    1_000,
  );
  const [row] = await query(
    service.databaseUrl,
    "SELECT count(DISTINCT xmin::text)::int AS transactions FROM events WHERE type = 'ProofRequested'",
  );
  t.ok(Number(row?.transactions) <= 8, `${row?.transactions} transactions`);
  await until(
    'each nonce is recorded as delivered',
    async () => (await count('NonceDelivered')) === 1_000,
  );
  const again = await batch(items, queued);
  t.strictSame(new Set(statusesOf(again.body)), new Set([202]));
  t.ok(
    again.body.data.every(
      (one: { body: { data: { proofNonce: unknown } } }) => one.body.data.proofNonce === null,
    ),
  );
  t.equal(await count('ProofRequested'), 1_000);
});

test('a hash that a batch repeats is proven once, as its first item describes it', async (t) => {
  const { batch, count, service, key } = await start(t);
  const [one = '', other = ''] = digests(2);
  const { body } = await batch([
    { hash: one, fileName: 'first' },
    { hash: one, fileName: 'second' },
    { hash: other },
    { hash: one, fileName: 'third' },
  ]);
  t.strictSame(statusesOf(body), [201, 200, 201, 200]);
  const ids = body.data.map(
    (item: { body: { data: { proofId: string } } }) => item.body.data.proofId,
  );
  t.strictSame([ids[1], ids[3]], [ids[0], ids[0]]);
  t.match((await service.call('GET', `/proofs/${ids[0]}`, { key })).body.data, {
    fileName: 'first',
  });
  t.equal(await count('ProofRequested'), 2);
  const nonces = body.data.map(
    (item: { body: { data: { proofNonce: string | null } } }) => item.body.data.proofNonce !== null,
  );
  t.strictSame(nonces, [true, false, true, false]);
});

test('a hash that a queued batch repeats is queued once, and only its first item has the nonce', async (t) => {
  const { batch, count } = await start(t);
  const hash = randomDigest();
  const { body } = await batch([{ hash }, { hash }], queued);
  t.strictSame(statusesOf(body), [202, 202]);
  const [first, second] = body.data.map((item: { body: { data: object } }) => item.body.data);
  t.equal(second.proofId, first.proofId);
  t.strictSame([typeof first.proofNonce, second.proofNonce], ['string', null]);
  t.notOk('alreadyProven' in second);
  t.equal(await count('ProofRequested'), 1);
});

test('a thousand times the same hash is one proof', async (t) => {
  const { batch, count } = await start(t);
  const hash = randomDigest();
  const { body } = await batch(Array.from({ length: 1_000 }, () => ({ hash })));
  t.strictSame(statusesOf(body), [201, ...Array.from({ length: 999 }, () => 200)]);
  t.equal(await count('ProofRequested'), 1);
});

test('two equal batches and single posts at once make one proof of each hash', async (t) => {
  const { batch, post, count } = await start(t);
  const hashes = digests(300);
  const [one, other, reversed, ...single] = await Promise.all([
    batch(itemsOf(hashes)),
    batch(itemsOf(hashes)),
    batch(itemsOf(hashes.toReversed()), queued),
    ...hashes.slice(0, 20).map((hash) => post(hash)),
  ]);
  t.equal(await count('ProofRequested'), 300);
  t.equal(await count('HashClaimed'), 300);
  const created = [one, other].flatMap(({ body }) => statusesOf(body));
  t.strictSame(
    created.filter((status) => status !== 200 && status !== 201),
    [],
  );
  const idOf = (item: { body: { data: { proofId: string } } }) => item.body.data.proofId;
  t.strictSame(one.body.data.map(idOf), other.body.data.map(idOf));
  t.strictSame(one.body.data.map(idOf), reversed.body.data.map(idOf).toReversed());
  t.strictSame(
    single.map(({ body }) => body.data.proofId),
    one.body.data.map(idOf).slice(0, 20),
  );
  const nonces = [one, other, reversed]
    .flatMap(({ body }) => body.data as { body: { data: { proofNonce: string | null } } }[])
    .concat(single)
    .filter(({ body }) => body.data.proofNonce !== null);
  t.equal(nonces.length, 300, 'each nonce is in one answer');
});

test('proofs of a batch that are rolled back say when to post them again', async (t) => {
  const { batch, count } = await start(t, { calls: { proofWaitMs: 200 } }, { anchors: false });
  const items = itemsOf(digests(2));
  const { status, body } = await batch(items);
  t.equal(status, 200);
  const result = {
    status: 502,
    retryAfterSeconds: 5,
    body: { success: false, code: 'XRPL_ERROR' },
  };
  t.match(body.data, [result, result]);
  t.equal(await count('ProofWithdrawn'), 2);
});

test('a fault of one item is a result of that item, and one line of the log', async (t) => {
  const [broken = '', sound = ''] = digests(2);
  let doomed = 0;
  const { batch, service } = await start(t, {
    sources: {
      randomBytes: (length: number) => {
        doomed += 1;
        if (doomed <= 2) throw new TypeError('no entropy');
        return testDeps.randomBytes(length);
      },
    },
  });
  const { status, body } = await batch(itemsOf([broken, randomDigest(), sound]));
  t.equal(status, 200);
  t.strictSame(statusesOf(body), [500, 500, 201]);
  t.match(body.data[0].body, { success: false, code: 'INTERNAL_ERROR' });
  const lines = service.log.filter((line) => line.includes('no entropy'));
  t.equal(lines.length, 1);
  t.match(JSON.parse(lines[0] ?? ''), { items: 2, level: 50 });
  t.notOk(lines.some((line) => line.includes(broken)));
});

test("another organisation's workspace and proofs stay its own", async (t) => {
  const { batch, service, workspaceId } = await start(t);
  const hashes = digests(2);
  const mine = await batch(itemsOf(hashes));
  const stranger = await service.openOrganisation();
  const unknown = { ...stranger, workspaceId };
  t.match(await batch(itemsOf(hashes), {}, unknown), {
    status: 400,
    body: { code: 'INVALID_WORKSPACE' },
  });
  const theirs = await batch(itemsOf(hashes), {}, stranger);
  t.strictSame(statusesOf(theirs.body), [201, 201]);
  const ids = [mine, theirs].flatMap(({ body }) =>
    body.data.map((item: { body: { data: { proofId: string } } }) => item.body.data.proofId),
  );
  t.equal(new Set(ids).size, 4);
});

test('a batch that cannot be read is refused whole, and records nothing', async (t) => {
  const { service, key, workspaceId: workspace, count, batch } = await start(t);
  const hash = randomDigest();
  const headers = { 'content-type': 'application/json' };
  const send = (body: string) => service.call('POST', '/proofs/batch', { key, body, headers });
  const raw = (items: string) => send(`{"workspace":"${workspace}","items":${items}}`);
  const count1 = 'items: must have 1 to 1000 items';
  t.match((await batch([])).body, { code: 'INVALID_REQUEST', message: count1 });
  const many = await batch(Array.from({ length: 1_001 }, () => ({ hash })));
  t.match(many, { status: 400, body: { code: 'INVALID_REQUEST', message: count1 } });
  for (const items of ['{}', 'null', '"x"', '3'])
    t.match(await raw(items), { status: 400, body: { code: 'INVALID_REQUEST' } }, items);
  t.match(await send(`{"workspace":"${workspace}"}`), {
    status: 400,
    body: { message: 'items: is missing' },
  });
  t.match(await send('{"items":[]}'), { status: 400, body: { code: 'INVALID_WORKSPACE' } });
  const twice = await raw(`[{"hash":"${hash}"},{"hash":"${hash}","metadata":{"a":1,"a":2}}]`);
  t.match(twice, { status: 400, body: { message: /^items\.1\.metadata/ } });
  t.match(await raw(`[{"hash":"${hash}","metadata":{"n":1e400}}]`), { status: 400 });
  for (const depth of [64, 200_000]) {
    const deep = `[{"hash":"${hash}","metadata":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}]`;
    t.match(await raw(deep), { status: 400, body: { code: 'INVALID_REQUEST' } }, `${depth} levels`);
  }
  const values = await raw(`[${'0,'.repeat(900_001)}0]`);
  t.match(values, { status: 400, body: { code: 'INVALID_REQUEST' } });
  const large = await raw(`["${'x'.repeat(4_194_304)}"]`);
  t.match(large, { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  t.equal(await count('ProofRequested'), 0);
});

test('items of any form are answered for themselves', async (t) => {
  const { service, key, workspaceId: workspace } = await start(t);
  const hash = randomDigest();
  const levels = (count: number) => `{"a":${'['.repeat(count)}${']'.repeat(count)}}`;
  const items = [
    ...['null', '[]', '"x"', '7', 'true', '{}', '{"__proto__":{"hash":"x"}}'],
    `{"hash":"${hash}","fileName":"\\u0000"}`,
    `{"hash":"${hash}","mimeType":"\\ud800"}`,
    `{"hash":"${hash}","metadata":{"text":"${'x'.repeat(16_384)}"}}`,
    `{"hash":"${hash}","fileName":"${'x'.repeat(256)}"}`,
    `{"hash":"${hash}","metadata":${levels(63)}}`,
  ];
  const body = `{"workspace":"${workspace}","items":[${items}]}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await service.call('POST', '/proofs/batch', { key, body, headers });
  t.equal(answer.status, 200);
  t.strictSame(statusesOf(answer.body), [...Array.from({ length: 11 }, () => 400), 201]);
});

test('a batch counts as one request and as its items, against the key and its organisation', async (t) => {
  const {
    service,
    organisationId,
    workspaceId: workspace,
  } = await start(t, { limits: { itemsPerDay: 5 } });
  const limits = { requestsPerMinute: 50, requestsPerDay: 60 };
  const issue = () => service.issueKey(organisationId, limits);
  const post = (key: string, count: number) => {
    const json = { workspace, items: Array.from({ length: count }, () => ({ hash: 'none' })) };
    return service.call('POST', '/proofs/batch', { key, json });
  };
  const key = await issue();
  const first = await post(key, 3);
  t.equal(first.status, 200);
  const policy = first.headers.get('ratelimit-policy') ?? '';
  t.match(policy, /^"minute";q=50;w=60, "day";q=60;w=86400, /);
  t.ok(policy.endsWith(', "items";q=5;w=86400, "organisation-items";q=50;w=86400'), policy);
  const state = first.headers.get('ratelimit') ?? '';
  t.match(state, /^"minute";r=49;t=\d+, "day";r=59;t=\d+, /);
  t.match(state, /, "items";r=2;t=\d{5}, "organisation-items";r=47;t=\d{5}$/);

  const refused = await post(key, 3);
  t.match(refused, { status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } });
  t.ok(Number(refused.headers.get('retry-after')) > 86_000);
  t.match(refused.headers.get('ratelimit'), /"minute";r=48.*"items";r=2;t=\d+/);
  t.match((await post(key, 2)).headers.get('ratelimit'), /"items";r=0;.*-items";r=45;/);
  t.equal((await post(key, 1)).status, 429);
  const single = { hash: randomDigest(), workspace };
  t.equal((await service.call('POST', '/proofs', { key, json: single })).status, 201, 'no item');

  for (let used = 0; used < 9; used += 1) t.equal((await post(await issue(), 5)).status, 200);
  const last = await post(await issue(), 5);
  t.equal(last.status, 429, 'the organisation has ten times as many');
  t.match(last.headers.get('ratelimit'), /"items";r=5;.*"organisation-items";r=0;/);
});

test('a batch that is refused whole uses up no items', async (t) => {
  const { service, key, workspaceId, batch } = await start(t, { limits: { itemsPerDay: 2 } });
  const stranger = await service.openOrganisation();
  await batch([{ hash: 'none' }, { hash: 'none' }], {}, { key, workspaceId: stranger.workspaceId });
  await service.call('POST', '/proofs/batch', { key, json: { workspace: workspaceId } });
  t.equal((await batch([{ hash: 'none' }, { hash: 'none' }])).status, 200);
});

test('a batch joins a proof that a caller who left has requested, with its nonce', async (t) => {
  const { service, organisationId, workspaceId, batch } = await start(t, {}, { anchors: false });
  const hash = randomDigest();
  const order = {
    ...{ organisationId, workspaceId, network: 'testnet', fileHash: hash as never },
    ...{ hashScheme: 'hmac-sha256-nonce-v3', fileName: null, fileSizeBytes: null },
    ...{ mimeType: null, description: null, respondAsync: true },
  } satisfies ProofOrder;
  const { proofId } = await requestProof({ ...testDeps, store: service.store }, order, {
    actor: 'api',
  });
  const { body } = await batch([{ hash }], queued);
  t.match(body.data, [{ status: 202, body: { data: { proofId } } }]);
  t.match(body.data[0].body.data.proofNonce, /^[0-9a-f]{64}$/);
  t.equal((await batch([{ hash }], queued)).body.data[0].body.data.proofNonce, null);
});
