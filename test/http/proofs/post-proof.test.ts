import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { test } from 'tap';
import { proofResponse, proofStatusResponse } from '../../../src/views/proof-schema.ts';
import { eventTypes } from '../../support/event-types.ts';
import { startHttpService } from '../../support/http-service.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import {
  anchoredAt,
  createScriptedAnchoring,
  randomDigest,
} from '../../support/scripted-anchoring.ts';

/** A service, an organisation and the ledger's side, with `post` for a hash of its workspace. */
async function start(
  t: Parameters<typeof startHttpService>[0],
  services: NonNullable<Parameters<typeof startHttpService>[1]>['services'] = {},
) {
  const service = await startHttpService(t, { services });
  const anchoring = await createScriptedAnchoring(service.store);
  const organisation = await service.openOrganisation();
  const { key, workspaceId } = organisation;
  const post = (hash: string, more: object = {}, headers: Record<string, string> = {}) =>
    service.call('POST', '/proofs', {
      key,
      json: { hash, workspace: workspaceId, ...more },
      headers,
    });
  const get = (proofId: string, query = '') =>
    service.call('GET', `/proofs/${proofId}${query}`, { key });
  const types = () => eventTypes(service.store);
  return { ...organisation, service, anchoring, post, get, types };
}

test('a hash is proven: 201 with the nonce, once its transaction is validated', async (t) => {
  const { anchoring, post, service } = await start(t);
  const hash = randomDigest();
  const posting = post(hash, { fileName: 'a.pdf', fileSize: 12, mimeType: 'text/x' });
  const proofId = await anchoring.requested(1);
  const { transactionHash } = await anchoring.anchor(proofId);
  const { status, body, headers } = await posting;

  t.equal(status, 201);
  t.strictSame(proofResponse.strict().parse(body), body);
  const { proofNonce, proofCommitment, requestedAt, ...rest } = body.data;
  t.match(requestedAt, /^\d{4}-.*Z$/);
  t.strictSame(rest, {
    proofId,
    txHash: transactionHash,
    verifyUrl: `https://testnet.xrpl.org/transactions/${transactionHash}`,
    verifyPageUrl: `${service.url}/verify/${transactionHash}`,
    certPath: `/api/v1/certificates/${proofId}`,
    ledger: 'testnet',
    standalone: false,
    ledgerIndex: 101,
    timestamp: anchoredAt.closeTimeIso,
    hashScheme: 'hmac-sha256-nonce-v3',
  });
  t.match(proofNonce, /^[0-9a-f]{64}$/);
  const hmac = createHmac('sha256', Buffer.from(proofNonce, 'hex'));
  t.equal(proofCommitment, hmac.update(Buffer.from(hash, 'hex')).digest('hex'));
  t.match(headers.get('x-request-id'), /^[0-9A-HJKMNP-TV-Z]{26}$/);
  t.equal(headers.get('cache-control'), 'no-store');

  const [requested] = await service.store.readLog(0, 10, ['ProofRequested']);
  t.equal(requested?.meta.requestId, headers.get('x-request-id'));
  t.equal(requested?.meta.actor, 'api');
});

test('a hash already proven: 200 at once with the original, without its nonce', async (t) => {
  const { anchoring, post, types } = await start(t);
  const hash = randomDigest();
  const posting = post(hash, { fileName: 'first' });
  const proofId = await anchoring.requested(1);
  await anchoring.anchor(proofId);
  const first = await posting;
  const before = await types();

  for (const headers of [{}, { prefer: 'respond-async' }]) {
    const { status, body } = await post(hash, { fileName: 'second' }, headers);
    t.equal(status, 200);
    const data = { ...first.body.data, proofNonce: null };
    t.strictSame(body, { success: true, alreadyProven: true, data });
  }
  t.strictSame(await types(), before, 'nothing was appended');
});

test('100 concurrent posts of one hash make one proof: one 201, 99 times 200', async (t) => {
  const { service, anchoring, post, types } = await start(t);
  const hash = randomDigest();
  const posting = Array.from({ length: 100 }, () => post(hash));
  const proofId = await anchoring.requested(1);
  await service.awaitWaits(proofId, 100);
  await anchoring.anchor(proofId);
  const answers = await Promise.all(posting);
  const created = answers.filter(({ status }) => status === 201);
  const joined = answers.filter(({ status }) => status === 200);
  t.equal(created.length, 1);
  t.equal(joined.length, 99);
  t.ok(created[0]?.body.data.proofNonce);
  for (const { body } of joined) {
    const data = { ...created[0]?.body.data, proofNonce: null };
    t.strictSame(body, { success: true, alreadyProven: true, data });
  }
  const requests = (await types()).filter((type) => type === 'ProofRequested');
  t.equal(requests.length, 1);
});

test('unsigned when the wait ends: 502 XRPL_ERROR, and the proof is rolled back', async (t) => {
  const { anchoring, post, get, types } = await start(t, { calls: { proofWaitMs: 3_000 } });
  const hash = randomDigest();
  const first = post(hash);
  const proofId = await anchoring.requested(1);
  const joiner = post(hash);
  for (const { status, body } of await Promise.all([first, joiner])) {
    t.match({ status, body }, { status: 502, body: { success: false, code: 'XRPL_ERROR' } });
  }
  t.strictSame((await types()).slice(-2), ['ProofWithdrawn', 'HashReleased']);
  t.match(await get(proofId), { status: 404, body: { code: 'PROOF_NOT_FOUND' } });

  const again = post(hash);
  const second = await anchoring.requested(2);
  await anchoring.anchor(second);
  t.match(await again, { status: 201, body: { data: { proofId: second } } });
});

test('when the transaction expires or fails, each waiting caller gets 502 XRPL_ERROR', async (t) => {
  const { service, anchoring, post } = await start(t);
  let count = 0;
  for (const reason of ['absent', 'failed'] as const) {
    const hash = randomDigest();
    const first = post(hash);
    count += 1;
    const proofId = await anchoring.requested(count);
    await anchoring.prepare(proofId);
    const joiner = post(hash);
    await service.awaitWaits(proofId, 2);
    await anchoring.expire(proofId, reason);
    for (const answer of await Promise.all([first, joiner])) {
      t.match(answer, { status: 502, body: { code: 'XRPL_ERROR' } }, reason);
    }
  }
});

test('unsettled when the wait ends: 502 PROOF_NOT_RECORDED, and the proof is settled later', async (t) => {
  const { service, anchoring, post, get, types } = await start(t, {
    calls: { proofWaitMs: 4_000 },
  });
  const hash = randomDigest();
  const posting = post(hash);
  const proofId = await anchoring.requested(1);
  const { transactionHash } = await anchoring.prepare(proofId);
  t.match(await posting, { status: 502, body: { success: false, code: 'PROOF_NOT_RECORDED' } });
  t.equal((await types()).at(-1), 'ProofQueued');
  t.match(await get(proofId), {
    status: 200,
    body: { data: { blockchainStatus: 'processing', txHash: transactionHash, ledgerIndex: null } },
  });
  t.match(
    await post(hash),
    { status: 502, body: { code: 'PROOF_NOT_RECORDED' } },
    'the joining caller too',
  );

  const waiting = post(hash);
  await service.awaitWaits(proofId, 3);
  await anchoring.expire(proofId);
  t.match(await get(proofId), {
    status: 200,
    body: { data: { blockchainStatus: 'pending', txHash: null, verifyUrl: null } },
  });
  await anchoring.anchor(proofId);
  t.match(await waiting, {
    status: 200,
    body: { alreadyProven: true, data: { proofNonce: /^[0-9a-f]{64}$/ } },
  });
  t.match(await get(proofId), { body: { data: { blockchainStatus: 'completed' } } });
});

test('with Prefer: respond-async the answer is 202 at once, with the proof queued', async (t) => {
  const { anchoring, post, get, types } = await start(t);
  const hash = randomDigest();
  const created = await post(hash, { fileName: 'x' }, { prefer: 'wait=5, Respond-Async' });
  t.equal(created.status, 202);
  t.equal(created.headers.get('preference-applied'), 'respond-async');
  t.equal(created.headers.get('location'), `/api/v1/proofs/${created.body.data.proofId}`);
  t.strictSame(proofStatusResponse.strict().parse(created.body), created.body);
  t.match(created.body.data, {
    blockchainStatus: 'pending',
    txHash: null,
    verifyUrl: null,
    ledgerIndex: null,
    fileName: 'x',
    fileHash: hash,
    proofNonce: /^[0-9a-f]{64}$/,
  });
  t.strictSame((await types()).slice(-3), ['ProofRequested', 'ProofQueued', 'HashClaimed']);

  const joined = await post(hash, {}, { prefer: 'respond-async' });
  t.match(joined, { status: 202, body: { data: { proofNonce: null } } });
  t.equal(joined.body.alreadyProven, undefined);

  const { proofId } = created.body.data;
  await anchoring.anchor(proofId);
  const settled = await get(proofId, '?includeSalt=true');
  t.match(settled.body.data, {
    blockchainStatus: 'completed',
    proofNonce: created.body.data.proofNonce,
    proofCommitment: created.body.data.proofCommitment,
  });
});

test('joining with respond-async queues the proof, which is then never rolled back', async (t) => {
  const { anchoring, post, get } = await start(t, { calls: { proofWaitMs: 3_000 } });
  const hash = randomDigest();
  const first = post(hash);
  const proofId = await anchoring.requested(1);
  t.match(await post(hash, {}, { prefer: 'respond-async' }), { status: 202 });
  t.match(await first, { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  t.match(await get(proofId), { status: 200, body: { data: { blockchainStatus: 'pending' } } });
});

test('a proof under the plain scheme has no nonce and no commitment', async (t) => {
  const { anchoring, post, get } = await start(t);
  const hash = randomDigest();
  const posting = post(hash, { hashScheme: 'sha256-plain-v1' });
  const proofId = await anchoring.requested(1);
  await anchoring.anchor(proofId);
  t.match((await posting).body.data, {
    hashScheme: 'sha256-plain-v1',
    proofNonce: null,
    proofCommitment: null,
  });
  t.equal((await get(proofId, '?includeSalt=true')).body.data.proofNonce, null);
});

test('the same hash in a workspace of another organisation gets its own proof', async (t) => {
  const { anchoring, post, service } = await start(t);
  const other = await service.openOrganisation();
  const hash = randomDigest();
  const postings = [
    post(hash),
    service.call('POST', '/proofs', {
      key: other.key,
      json: { hash, workspace: other.workspaceId },
    }),
  ];
  for (const count of [1, 2]) await anchoring.anchor(await anchoring.requested(count));
  for (const { status } of await Promise.all(postings)) t.equal(status, 201);
});

test('when the service stops, waiting calls get the true state and connections close', async (t) => {
  const { service, anchoring, post } = await start(t);
  const unsigned = post(randomDigest());
  const first = await anchoring.requested(1);
  const signed = post(randomDigest());
  const second = await anchoring.requested(2);
  await anchoring.prepare(second);
  for (const proofId of [first, second]) await service.awaitWaits(proofId, 1);
  const started = performance.now();
  service.drain();
  const stopping = service.server.stop();
  const answers = await Promise.all([unsigned, signed]);
  t.match(answers[0], { status: 502, body: { code: 'XRPL_ERROR' } });
  t.match(answers[1], { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  for (const { headers } of answers) t.equal(headers.get('connection'), 'close');
  await stopping;
  t.ok(performance.now() - started < (await onThisMachine(20_000)));
  await t.rejects(post(randomDigest()), 'no further request is accepted');
});

test('a stop waits for the call of a departed client, so its proof is not left open', async (t) => {
  const { service, anchoring, key, workspaceId, types } = await start(t);
  const gone = new AbortController();
  const posting = fetch(`${service.url}/api/v1/proofs`, {
    method: 'POST',
    signal: gone.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ hash: randomDigest(), workspace: workspaceId }),
  });
  await anchoring.requested(1);
  gone.abort();
  await t.rejects(posting);
  service.drain();
  await service.server.stop();
  t.strictSame((await types()).slice(-2), ['ProofWithdrawn', 'HashReleased']);
});

test('a proof that is anchored within the grace of a stop is still answered 201', async (t) => {
  const { service, anchoring, post } = await start(t, { lifecycle: { drainGraceMs: 20_000 } });
  const posting = post(randomDigest());
  const proofId = await anchoring.requested(1);
  service.drain();
  const stopping = service.server.stop();
  await delay(100);
  await anchoring.anchor(proofId);
  t.match(await posting, { status: 201 });
  await stopping;
});

test('when the database drops every connection during the wait, the caller still gets 201', async (t) => {
  const { service, anchoring, post } = await start(t);
  const posting = post(randomDigest());
  const proofId = await anchoring.requested(1);
  await service.awaitWaits(proofId, 1);
  const admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await admin.end();
  await delay(100);
  await anchoring.anchor(proofId);
  t.match(await posting, { status: 201 });
});
