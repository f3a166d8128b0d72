import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { streams } from '../../../src/domain/streams.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import {
  createNonceDeliveries,
  type NonceDeliveries,
} from '../../../src/http/proofs/nonce-deliveries.ts';
import { documentForm } from '../../support/forms.ts';
import { type Answer, joinHttpService } from '../../support/http-service.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';
import { until } from '../../support/until.ts';

/** `restart` makes the service forget its claims, as a new process knows none. */
async function start(t: Test, { proofWaitMs = 60_000 } = {}) {
  let nonces: NonceDeliveries | null = null;
  let claims = 0;
  const claim: NonceDeliveries['claim'] = (proofId) => {
    claims += 1;
    return nonces?.claim(proofId) ?? null;
  };
  const services = { calls: { nonces: { claim, close: async () => {} }, proofWaitMs } };
  const service = await joinHttpService(t, { services });
  const restart = (before: Promise<void> = Promise.resolve()) => {
    const append: EventStore['append'] = async (...args) => {
      await before;
      return service.store.append(...args);
    };
    const deliveries = createNonceDeliveries({ append }, { onError: t.error });
    t.teardown(() => deliveries.close());
    nonces = deliveries;
  };
  restart();
  const anchoring = await createScriptedAnchoring(service.store);
  const organisation = await service.openOrganisation();
  const { key, workspaceId: workspace } = organisation;
  const post = (hash: string, options: { key?: string; prefer?: string; json?: object } = {}) =>
    service.call('POST', '/proofs', {
      key: options.key ?? key,
      json: { hash, workspace, ...options.json },
      headers: options.prefer === undefined ? {} : { prefer: options.prefer },
    });
  const deliveries = async () =>
    (await service.store.readLog(0, 10_000, ['NonceDelivered'])).map(({ stream }) => stream);
  /** Posts a new hash and anchors its proof. */
  const prove = async (hash: string, options: Parameters<typeof post>[1] = {}) => {
    const count = (await service.store.readLog(0, 10_000, ['ProofRequested'])).length;
    const posting = post(hash, options);
    await anchoring.anchor(await anchoring.requested(count + 1));
    return posting;
  };
  /** Posts a hash and closes the connection before the answer. Resolves with the proof's id. */
  const postAndLeave = async (hash: string) => {
    const before = (await service.store.readLog(0, 10_000, ['ProofRequested'])).length;
    const body = JSON.stringify({ hash, workspace });
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `POST /api/v1/proofs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.on('error', () => {});
    const proofId = await anchoring.requested(before + 1);
    socket.destroy();
    await once(socket, 'close');
    return proofId;
  };
  const counted = () => claims;
  return {
    ...organisation,
    ...{ service, anchoring, restart, post, prove, postAndLeave, deliveries, claims: counted },
  };
}

function nonceOf({ body }: Answer): string | null {
  return body.data.proofNonce;
}

/** Checks that the answer has the nonce that makes the commitment. */
function checkNonce(t: Test, answer: Answer, hash: string): void {
  const { proofNonce, proofCommitment } = answer.body.data;
  const hmac = createHmac('sha256', Buffer.from(proofNonce ?? '', 'hex'));
  t.equal(hmac.update(Buffer.from(hash, 'hex')).digest('hex'), proofCommitment);
}

test('a nonce whose answer was lost with its connection goes to the next post, once', async (t) => {
  const { anchoring, post, postAndLeave, deliveries } = await start(t);
  const hash = randomDigest();
  const proofId = await postAndLeave(hash);
  await anchoring.anchor(proofId);
  const again = await post(hash);
  t.match(again, { status: 200, body: { alreadyProven: true, data: { proofId } } });
  checkNonce(t, again, hash);
  for (let turn = 0; turn < 3; turn += 1) t.equal(nonceOf(await post(hash)), null);
  await until('the delivery is recorded', async () => (await deliveries()).length > 0);
  t.strictSame(await deliveries(), [`nonce-${proofId}`]);
});

test('after 502 PROOF_NOT_RECORDED the next successful post has the nonce, once', async (t) => {
  const { anchoring, post } = await start(t, { proofWaitMs: 2_500 });
  const hash = randomDigest();
  const posting = post(hash);
  const proofId = await anchoring.requested(1);
  await anchoring.prepare(proofId);
  t.match(await posting, { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  const waiting = post(hash);
  await anchoring.anchor(proofId);
  checkNonce(t, await waiting, hash);
  t.equal(nonceOf(await post(hash)), null);
});

test('an item of a batch that is 502 leaves its nonce to the next successful answer', async (t) => {
  const { anchoring, post, service, key, workspaceId, deliveries } = await start(t, {
    proofWaitMs: 2_500,
  });
  const hashes = [randomDigest(), randomDigest()] as const;
  const items = hashes.map((hash) => ({ hash }));
  const json = { workspace: workspaceId, items };
  const batch = async () => (await service.call('POST', '/proofs/batch', { key, json })).body.data;
  const sending = batch();
  const ids = [await anchoring.requested(1), await anchoring.requested(2)];
  for (const proofId of ids) await anchoring.prepare(proofId);
  const failed = { status: 502, body: { code: 'PROOF_NOT_RECORDED' } };
  t.match(await sending, [failed, failed]);
  for (const proofId of ids) await anchoring.anchor(proofId);

  const again = await batch();
  t.match(again, [{ status: 200 }, { status: 200 }]);
  for (const [at, hash] of hashes.entries()) checkNonce(t, again[at], hash);
  await until('both deliveries are recorded', async () => (await deliveries()).length === 2);
  for (const hash of hashes) t.equal(nonceOf(await post(hash)), null);
});

test('with respond-async the 202 has the nonce, and later posts have none', async (t) => {
  const { anchoring, post, deliveries } = await start(t, { proofWaitMs: 2_500 });
  const hash = randomDigest();
  const queued = await post(hash, { prefer: 'respond-async' });
  t.equal(queued.status, 202);
  checkNonce(t, queued, hash);
  t.equal(nonceOf(await post(hash, { prefer: 'respond-async' })), null);
  await anchoring.anchor(queued.body.data.proofId);
  t.equal(nonceOf(await post(hash)), null);
  await until('the delivery is recorded', async () => (await deliveries()).length === 1);

  const other = randomDigest();
  const posting = post(other);
  const proofId = await anchoring.requested(2);
  await anchoring.prepare(proofId);
  t.match(await posting, { status: 502 });
  const joined = await post(other, { prefer: 'respond-async' });
  t.equal(joined.status, 202);
  checkNonce(t, joined, other);
  await anchoring.anchor(proofId);
  t.equal(nonceOf(await post(other)), null);
});

test('of posts at the same time one has the nonce, and none after a delivery', async (t) => {
  const { anchoring, post, prove, postAndLeave } = await start(t);
  const lost = randomDigest();
  await anchoring.anchor(await postAndLeave(lost));
  const together = await Promise.all(Array.from({ length: 20 }, () => post(lost)));
  t.equal(together.filter((answer) => nonceOf(answer) !== null).length, 1);

  for (let turn = 0; turn < 10; turn += 1) {
    const hash = randomDigest();
    t.ok(nonceOf(await prove(hash)));
    t.equal(nonceOf(await post(hash)), null, 'at once after the 201');
  }
});

test('until a delivery is recorded this process remembers it, and others show it once more', async (t) => {
  const held = Promise.withResolvers<void>();
  const { anchoring, post, deliveries, restart } = await start(t);
  restart(held.promise);
  anchoring.follow(t);
  const hash = randomDigest();
  t.ok(nonceOf(await post(hash)));
  t.equal(nonceOf(await post(hash)), null);
  t.strictSame(await deliveries(), [], 'not recorded yet');
  restart();
  t.ok(nonceOf(await post(hash)), 'a process that knows neither claim nor event');
  await until('the delivery is recorded', async () => (await deliveries()).length === 1);
  held.resolve();
  t.equal(nonceOf(await post(hash)), null);
  restart();
  t.equal(nonceOf(await post(hash)), null, 'a process that reads the event');
  t.equal((await deliveries()).length, 1, 'the second recording appends nothing');
});

test('a call to another process waits for the record of an answer at the same time', async (t) => {
  const { service, anchoring, post, restart } = await start(t);
  anchoring.follow(t);
  // The call waits for half a second, in which a busy machine may not record the delivery.
  const nonces: (string | null)[] = [];
  while (nonces.length < 30 && !nonces.includes(null)) {
    const held = Promise.withResolvers<void>();
    restart(held.promise);
    const hash = randomDigest();
    const first = await post(hash);
    t.ok(nonceOf(first));
    restart();
    const elsewhere = post(hash);
    const { proofId } = first.body.data;
    await service.awaitWaits(proofId, 1, streams.nonce(proofId));
    // A call that does not wait answers within this time.
    await delay(100);
    held.resolve();
    nonces.push(nonceOf(await elsewhere));
  }
  t.equal(nonces.at(-1), null);
});

test('when the process was killed between anchoring and answer, the next post has the nonce', async (t) => {
  const { anchoring, post, restart, claims } = await start(t);
  restart(new Promise(() => {}));
  const hash = randomDigest();
  const unanswered = post(hash);
  const proofId = await anchoring.requested(1);
  // The log shows the request before the process that made it knows so.
  await until('the nonce is claimed', async () => claims() === 1);
  restart();
  const waiting = post(hash);
  await anchoring.anchor(proofId);
  checkNonce(t, await waiting, hash);
  await unanswered;
  t.equal(nonceOf(await post(hash)), null);
});

test('an agent key with the recommended scopes recovers a nonce; other tenants never see it', async (t) => {
  const { anchoring, post, prove, postAndLeave, service, organisationId } = await start(t);
  const scopes = ['documents:write', 'certificates:read'];
  const agent = await service.issueKey(organisationId, { agent: true, scopes });
  const stranger = await service.openOrganisation();
  const hash = randomDigest();
  await anchoring.anchor(await postAndLeave(hash));
  t.match(await post(hash, { key: stranger.key }), { status: 400 });
  const own = await prove(hash, {
    key: stranger.key,
    json: { workspace: stranger.workspaceId },
  });
  t.equal(own.status, 201);
  const again = await post(hash, { key: agent });
  t.match(again, { status: 200, body: { data: { proofNonce: /^[0-9a-f]{64}$/ } } });
  t.not(nonceOf(again), nonceOf(own));
  checkNonce(t, again, hash);
});

test('the plain scheme records no delivery', async (t) => {
  const { anchoring, post, deliveries } = await start(t);
  anchoring.follow(t);
  const plain = { json: { hashScheme: 'sha256-plain-v1' } };
  t.match(await post(randomDigest(), plain), { status: 201, body: { data: { proofNonce: null } } });
  t.ok(nonceOf(await post(randomDigest())));
  await until('a delivery is recorded', async () => (await deliveries()).length > 0);
  t.equal((await deliveries()).length, 1);
});

test('uploads and revisions answer a nonce that no caller has received', async (t) => {
  const { anchoring, service, key, workspaceId } = await start(t, { proofWaitMs: 300 });
  const upload = (path: string, bytes: string) => {
    const fields: Record<string, string> = path === '/documents' ? { workspace: workspaceId } : {};
    return service.call('POST', path, {
      key,
      body: documentForm(fields, { name: 'a.txt', bytes }),
    });
  };
  const failed = await upload('/documents', 'first');
  t.match(failed, { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  await anchoring.anchor(await anchoring.requested(1));
  const again = await upload('/documents', 'first');
  t.match(again, { status: 200, body: { alreadyProven: true } });
  checkNonce(t, again, again.body.data.fileHash);
  t.equal(nonceOf(await upload('/documents', 'first')), null);

  const { documentId } = again.body.data;
  const path = `/documents/${documentId}/version`;
  t.match(await upload(path, 'second'), { status: 502 });
  await anchoring.anchor(await anchoring.requested(2));
  const revision = await upload(path, 'second');
  t.match(revision, { status: 200, body: { data: { revision: 2 } } });
  checkNonce(t, revision, revision.body.data.fileHash);
  t.equal(nonceOf(await upload(path, 'second')), null);
});
