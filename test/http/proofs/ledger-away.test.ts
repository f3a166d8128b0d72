import { type Test, test } from 'tap';
import { documentForm, someText } from '../../support/forms.ts';
import { joinHttpService } from '../../support/http-service.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';
import { connected, createScriptedGateway } from '../../support/scripted-gateway.ts';
import { until } from '../../support/until.ts';

const away = { connected: false, reason: 'connection lost' } as const;
const atOnceMs = 5_000;

/** A service whose proofs wait for a minute, on a network that counts as away after 100 ms. */
async function start(t: Test) {
  const gateway = createScriptedGateway('testnet');
  const ledger = { gateways: [gateway], ledgerAwayMs: 100 };
  const services = { ledger, calls: { proofWaitMs: 60_000 } };
  const service = await joinHttpService(t, { services });
  const anchoring = await createScriptedAnchoring(service.store);
  const { key, workspaceId: workspace } = await service.openOrganisation();
  const post = (hash: string, headers: Readonly<Record<string, string>> = {}) =>
    service.call('POST', '/proofs', { key, json: { hash, workspace }, headers });
  /** Loses the ledger, and waits until the service knows. */
  const loseLedger = async () => {
    gateway.status.next(away);
    await until('a post is refused', async () => {
      const { status } = await post(randomDigest());
      return status === 502;
    });
  };
  return { service, gateway, anchoring, key, workspace, post, loseLedger };
}

async function inTime<Value>(t: Test, work: Promise<Value>): Promise<Value> {
  const before = performance.now();
  const value = await work;
  t.ok(performance.now() - before < (await onThisMachine(atOnceMs)), 'answered at once');
  return value;
}

test('when the ledger is away, a new proof is 502 XRPL_ERROR at once, and nothing is appended', async (t) => {
  const { service, gateway, anchoring, post } = await start(t);
  gateway.status.next(away);
  await until('the ledger is known to be away', async () => {
    const head = await service.store.head();
    const { status, headers, body } = await inTime(t, post(randomDigest()));
    if (status !== 502) return false;
    t.match(body, { success: false, code: 'XRPL_ERROR' });
    t.equal(headers.get('retry-after'), '5');
    // A post that came before 100 ms had passed is rolled back.
    return (await service.store.head()) === head;
  });
  const head = await service.store.head();
  t.match(await post('zz'), { status: 400 });
  const queued = await post(randomDigest(), { prefer: 'respond-async' });
  t.match(queued, { status: 202, body: { data: { blockchainStatus: 'pending' } } });
  t.ok((await service.store.head()) > head);

  gateway.status.next(connected);
  const posting = post(randomDigest());
  const requested = (await service.store.readLog(0, 1_000, ['ProofRequested'])).length;
  await anchoring.anchor(await anchoring.requested(requested + 1));
  t.match(await posting, { status: 201 });
});

test('a short interruption of the ledger ends no wait', async (t) => {
  const { gateway, anchoring, post } = await start(t);
  const posting = post(randomDigest());
  const proofId = await anchoring.requested(1);
  gateway.status.next(away);
  gateway.status.next(connected);
  await anchoring.prepare(proofId);
  gateway.status.next(away);
  await until('the ledger is away', async () => (await post(randomDigest())).status === 502);
  await anchoring.anchor(proofId);
  t.match(await posting, { status: 201 }, 'a signed proof waits on');
});

test('when the ledger is lost before a signature, the waiting call is rolled back', async (t) => {
  const { service, gateway, anchoring, post } = await start(t);
  const posting = post(randomDigest());
  await anchoring.requested(1);
  gateway.status.next(away);
  t.match(await inTime(t, posting), { status: 502, body: { code: 'XRPL_ERROR' } });
  const types = (await service.store.readLog(0, 1_000)).map(({ type }) => type);
  t.strictSame(types.slice(-2), ['ProofWithdrawn', 'HashReleased']);
});

test('when the ledger is away, known proofs are answered at once, as what they are', async (t) => {
  const { anchoring, post, loseLedger } = await start(t);
  const [completed, queued, signed] = [randomDigest(), randomDigest(), randomDigest()];
  const posting = post(completed);
  await anchoring.anchor(await anchoring.requested(1));
  const first = await posting;
  const ids = [];
  for (const hash of [queued, signed]) {
    ids.push((await post(hash, { prefer: 'respond-async' })).body.data.proofId);
  }
  await anchoring.prepare(await anchoring.requested(3));
  await loseLedger();
  t.match(await inTime(t, post(completed)), {
    status: 200,
    body: { alreadyProven: true, data: { proofId: first.body.data.proofId } },
  });
  for (const [place, hash] of [queued, signed].entries()) {
    const { status, body } = await inTime(t, post(hash));
    t.equal(status, 502);
    t.match(body, { code: 'PROOF_NOT_RECORDED', proofId: ids[place] });
    t.notOk('documentId' in body, 'a hash alone has no document');
  }
});

test('when the ledger is away, an upload is stored, and 502 PROOF_NOT_RECORDED names it', async (t) => {
  const { service, anchoring, key, workspace, loseLedger } = await start(t);
  await loseLedger();
  const bytes = someText();
  const upload = () =>
    service.call('POST', '/documents', {
      key,
      body: documentForm({ workspace }, { name: 'a.txt', bytes }),
    });
  const { status, body } = await inTime(t, upload());
  t.equal(status, 502);
  t.match(body, { success: false, code: 'PROOF_NOT_RECORDED' });
  const shown = await service.call('GET', `/documents/${body.documentId}`, { key });
  t.match(shown.body.data, { proofId: body.proofId, blockchainStatus: 'pending' });
  await anchoring.anchor(body.proofId);
  const again = await upload();
  t.match(again, { status: 200, body: { data: { documentId: body.documentId } } });
  t.match(again.body.data.proofNonce, /^[0-9a-f]{64}$/);
});

test('when the ledger is away, new hashes of a batch cost no items, and known ones do', async (t) => {
  const { service, anchoring, key, workspace, post, loseLedger } = await start(t);
  const known = randomDigest();
  const posting = post(known);
  await anchoring.anchor(await anchoring.requested(1));
  await posting;
  const batch = (hashes: readonly string[], headers: Readonly<Record<string, string>> = {}) => {
    const json = { workspace, items: hashes.map((hash) => ({ hash })) };
    return service.call('POST', '/proofs/batch', { key, json, headers });
  };
  /** Items that are left, by the answer: of the key, and of its organisation. */
  const left = ({ headers }: { readonly headers: Headers }) =>
    [...(headers.get('ratelimit') ?? '').matchAll(/items";r=(\d+)/g)].map(([, items]) =>
      Number(items),
    );
  await loseLedger();
  const [ofKey = 0, ofAll = 0] = left(await batch([known]));
  const hashes = Array.from({ length: 1_000 }, randomDigest);
  const refused = await inTime(t, batch(hashes));
  t.match(refused.body.data[999], {
    status: 502,
    retryAfterSeconds: 5,
    body: { code: 'XRPL_ERROR' },
  });
  t.strictSame(left(refused), [ofKey, ofAll]);
  t.equal(
    refused.headers.get('ratelimit')?.match(/"minute"/g)?.length,
    1,
    'the others are stated once',
  );
  const mixed = await batch([known, randomDigest(), known, 'zz']);
  t.strictSame(left(mixed), [ofKey - 3, ofAll - 3], 'known and malformed hashes count');
  const queued = await batch([randomDigest()], { prefer: 'respond-async' });
  t.strictSame(left(queued), [ofKey - 4, ofAll - 4], 'queued ones count');
});
