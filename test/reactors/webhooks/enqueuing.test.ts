import { sql } from 'kysely';
import { test } from 'tap';
import { projections } from '../../../projections/registry.ts';
import { chainRevision } from '../../../src/commands/chain-revision.ts';
import { changePlan } from '../../../src/commands/change-plan.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { endWait } from '../../../src/commands/end-wait.ts';
import { giveUpProof } from '../../../src/commands/give-up-proof.ts';
import { requestProof } from '../../../src/commands/request-proof.ts';
import { storeDocument } from '../../../src/commands/store-document.ts';
import { suspendOrganisation } from '../../../src/commands/suspend-organisation.ts';
import type { LedgerAttested } from '../../../src/domain/attestation/events.ts';
import { proofDecider } from '../../../src/domain/proof/decider.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { Anchored, CertificateIssued } from '../../../src/domain/proof/events.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { load } from '../../../src/event-store/handling/load.ts';
import { enqueuing, enqueuingName } from '../../../src/reactors/webhooks/enqueuing.ts';
import { projectNext } from '../../../src/subscriptions/projector.ts';
import { testDeps } from '../../support/event-store.ts';
import { runRecorded } from '../../support/runs.ts';
import { randomDigest, randomHash } from '../../support/scripted-anchoring.ts';
import { createUploadSite, type UploadSite } from '../../support/uploads.ts';
import {
  createWebhookSite,
  webhookMeta as meta,
  otherStore,
  type WebhookSite,
} from '../../support/webhook-site.ts';

/** Enqueued deliveries as kind, resource and chain, without endpoints. */
async function deliveriesOf(site: WebhookSite): Promise<string[]> {
  await site.enqueue();
  const rows = await site.rows();
  return rows.map((row) => `${row.kind} ${row.resource_id} ${row.root_id ?? ''}`.trim()).sort();
}

function post(site: WebhookSite, of: Partial<UploadSite> & { fileHash?: string } = {}) {
  const { organisationId, workspaceId } = { ...site.uploads, ...of };
  const { fileHash = randomDigest() } = of;
  const order = { organisationId, workspaceId, fileHash: fileHash as Digest, network: 'testnet' };
  const said = { fileName: null, fileSizeBytes: null, mimeType: null, description: null };
  const scheme = { hashScheme: 'hmac-sha256-nonce-v3', respondAsync: false } as const;
  const whole = { ...order, network: 'testnet', ...said, ...scheme } as const;
  return requestProof({ ...testDeps, store: site.store }, whole, meta);
}

test('notifies when a proof is completed, and when it failed', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const [one, two] = [await post(site), await post(site)];
  t.strictSame(await deliveriesOf(site), [], 'not before');
  await site.anchoring.expire(two.proofId);
  await endWait(site.store, two.proofId, meta);
  await site.anchoring.anchor(one.proofId);
  const expected = [`proof.completed ${one.proofId}`, `proof.failed ${two.proofId}`];
  t.strictSame(await deliveriesOf(site), expected);
  t.match(await site.rows(), [{ status: 'pending' }, { status: 'pending' }]);
});

test('notifies when an upload is stored, and when its proof is completed', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const { uploads, anchoring } = site;
  const first = await storeDocument(uploads.deps, uploads.order(), meta);
  const stored = `document.created ${first.documentId} ${first.documentId}`;
  t.strictSame(await deliveriesOf(site), [stored]);
  await anchoring.anchor(first.proofId);
  const next = { ...uploads.order(), rootDocumentId: first.documentId };
  const second = await chainRevision(uploads.deps, next, meta);
  await anchoring.anchor(second.proofId);
  const expected = [
    stored,
    `proof.completed ${first.proofId}`,
    `proof.completed ${second.proofId}`,
    `revision.created ${second.documentId} ${first.documentId}`,
    `upload.completed ${first.documentId} ${first.documentId}`,
    `upload.completed ${second.documentId} ${first.documentId}`,
  ];
  t.strictSame(await deliveriesOf(site), expected.sort());
});

test('notifies once of a completed upload for a hash posted before', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const { uploads, anchoring } = site;
  const fileHashes = [randomDigest(), randomDigest()] as Digest[];
  const [early, late] = [
    await post(site, { fileHash: fileHashes[0] ?? '' }),
    await post(site, { fileHash: fileHashes[1] ?? '' }),
  ];
  const link = (fileHash = '' as Digest) =>
    storeDocument(uploads.deps, uploads.order({ fileHash }), meta);
  await anchoring.anchor(early.proofId);
  const linkedLate = await link(fileHashes[0]);
  const linkedEarly = await link(fileHashes[1]);
  await anchoring.anchor(late.proofId);
  const expected = [linkedLate, linkedEarly].flatMap(({ documentId, proofId }) => [
    `document.created ${documentId} ${documentId}`,
    `proof.completed ${proofId}`,
    `upload.completed ${documentId} ${documentId}`,
  ]);
  t.strictSame(await deliveriesOf(site), expected.sort());
});

test('notifies that proof and upload failed when the proof is given up', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const { uploads, anchoring, store } = site;
  const upload = await storeDocument(uploads.deps, uploads.order(), meta);
  const fileHash = randomDigest() as Digest;
  const { proofId } = await post(site, { fileHash });
  const linked = await storeDocument(uploads.deps, uploads.order({ fileHash }), meta);
  for (const one of [upload.proofId, proofId]) {
    await anchoring.expire(one, 'failed');
    await giveUpProof(store, one, meta);
  }
  const expected = [upload, linked].flatMap((document) => [
    `document.created ${document.documentId} ${document.documentId}`,
    `proof.failed ${document.proofId}`,
    `upload.failed ${document.documentId} ${document.documentId}`,
  ]);
  t.strictSame(await deliveriesOf(site), expected.sort());
});

test('notifies when a workspace is created', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const { organisationId } = site.uploads;
  const order = { organisationId, name: 'Ablage' };
  const workspaceId = await createWorkspace({ ...testDeps, store: site.store }, order, meta);
  t.strictSame(await deliveriesOf(site), [`workspace.created ${workspaceId}`]);
});

test('notifies of an issued certificate, and of a recorded run without its name', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const { store, uploads } = site;
  const { organisationId } = uploads;
  const { proofId } = await post(site);
  // Events as in the log. Their content does not matter.
  const certificate = { type: 'CertificateIssued', data: {} } as unknown as CertificateIssued;
  const of = { organisationId, stream: streams.proof(proofId), expectedVersion: 1 };
  await store.append([{ ...of, events: [certificate] }], meta);
  const run = runRecorded(organisationId, 'nightly-1');
  const index = (await store.index(organisationId, 'nightly-1')) ?? '';
  const stream = streams.run(organisationId, index);
  await store.append([{ organisationId, stream, expectedVersion: 0, events: [run] }], meta);
  const expected = [`agent.run.recorded ${index}`, `certificate.generated ${proofId}`];
  t.strictSame(await deliveriesOf(site), expected);
  t.notOk(JSON.stringify(await site.rows()).includes('nightly'));
});

test('notifies of an accepted proof, even if its organisation is suspended meanwhile', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const { organisationId } = site.uploads;
  const { proofId } = await post(site);
  await suspendOrganisation(site.store, organisationId, meta);
  await changePlan(site.store, organisationId, 'free', meta);
  await site.anchoring.anchor(proofId);
  t.strictSame(await deliveriesOf(site), [`proof.completed ${proofId}`]);
});

test('an endpoint receives its chosen kinds, from its organisation, until it is deleted', async (t) => {
  const site = await createWebhookSite(t);
  const other = await createUploadSite(site.store);
  const before = await post(site);
  await site.anchoring.anchor(before.proofId);
  const all = await site.register();
  const some = await site.register('https://b.example.com/', ['workspace.created']);
  const theirs = await site.register('https://c.example.com/', ['proof.completed'], other);
  const anchor = async (of: UploadSite) => {
    const { proofId } = await post(site, of);
    await site.anchoring.anchor(proofId);
    return proofId;
  };
  const first = await anchor(site.uploads);
  await site.change(some.webhookId, { events: ['proof.completed', 'upload.failed'] });
  const second = await anchor(site.uploads);
  const foreign = await anchor(other);
  await site.remove(all.webhookId);
  const third = await anchor(site.uploads);
  await site.enqueue();
  const rows = (await site.rows()).map((row) => `${row.webhook_id} ${row.resource_id}`);
  const expected = [
    `${some.webhookId} ${second}`,
    `${some.webhookId} ${third}`,
    `${theirs.webhookId} ${foreign}`,
  ];
  t.strictSame(
    rows.sort(),
    expected.sort(),
    `the delivery of ${first} was deleted with its endpoint`,
  );
});

test('folding in several stretches enqueues the same as folding in one', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const { proofId } = await post(site);
  await site.enqueue();
  const gone = await site.register('https://gone.example.com/');
  await site.enqueue();
  await site.anchoring.anchor(proofId);
  await site.enqueue();
  t.equal((await site.rows()).length, 2);
  await site.remove(gone.webhookId);
  t.strictSame(await deliveriesOf(site), [`proof.completed ${proofId}`]);
});

test('holds deliveries to a disabled endpoint, including later ones', async (t) => {
  const site = await createWebhookSite(t);
  const { webhookId } = await site.register();
  const anchor = async () => {
    const { proofId } = await post(site);
    await site.anchoring.anchor(proofId);
    return proofId;
  };
  const statuses: [ProofId, string][] = [[await anchor(), 'held']];
  await site.enqueue();
  await site.disable(webhookId);
  statuses.push([await anchor(), 'held']);
  await site.enqueue();
  statuses.push([await anchor(), 'held']);
  await site.change(webhookId, { status: 'active' });
  statuses.push([await anchor(), 'pending']);
  await site.enqueue();
  const rows = await site.rows();
  t.strictSame(
    Object.fromEntries(rows.map((row) => [row.resource_id, row.status])),
    Object.fromEntries(statuses),
  );
  t.ok(rows.every((row) => (row.due_at === null) === (row.status === 'held')));
});

test('several processes enqueue each delivery once, and a failed batch is rolled back whole', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const count = 40;
  for (let n = 0; n < count; n += 1) await site.anchoring.anchor((await post(site)).proofId);
  // The transaction fails after writing the rows, so rows and checkpoint are rolled back.
  const broken = enqueuing({ store: site.store, now: site.clock.now });
  const breaking = {
    ...broken,
    async project(...of: Parameters<typeof broken.project>) {
      await broken.project(...of);
      throw new Error('the process dies');
    },
  };
  await t.rejects(projectNext(site.db, site.store, breaking), /dies/);
  t.equal((await site.rows()).length, 0);
  const others = [otherStore(t, site), otherStore(t, site)];
  await Promise.all(
    [site, ...others].map(async ({ db, store }) => {
      const folder = enqueuing({ store, now: site.clock.now });
      for (let n = 0; n < 5; n += 1) await projectNext(db, store, folder);
    }),
  );
  await site.enqueue();
  t.equal((await site.rows()).length, count);
});

test('folding the log again enqueues nothing again', async (t) => {
  const site = await createWebhookSite(t);
  await site.register();
  const upload = await storeDocument(site.uploads.deps, site.uploads.order(), meta);
  await site.anchoring.anchor(upload.proofId);
  await site.enqueue();
  await sql`UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL`.execute(site.db);
  const before = await site.rows();
  t.equal(before.length, 3);
  t.notOk(
    projections.some(({ name }) => name === enqueuingName),
    'rebuilds do not cover enqueuing',
  );
  await site.enqueue();
  t.strictSame(await site.rows(), before);
  // After a manual reset of the checkpoint every delivery already exists.
  await sql`UPDATE checkpoints SET position = 0 WHERE name = ${enqueuingName}`.execute(site.db);
  await site.enqueue();
  t.strictSame(await site.rows(), before);
});

/** Signatures for the ledger of a proof, as in the log. Their content does not matter. */
async function attest(site: WebhookSite, ...proofIds: readonly ProofId[]): Promise<void> {
  for (const proofId of proofIds) {
    const { state } = await load(site.store, streams.proof(proofId), proofDecider);
    if (state.status !== 'completed') throw new Error(`${proofId} is ${state.status}`);
    const { ledgerId, ledgerIndex, ledgerHash } = state.anchor;
    const data = { ledgerId, ledgerIndex, ledgerHash };
    await appendAttestation(site, data);
  }
}

async function appendAttestation(
  { store }: WebhookSite,
  data: Pick<LedgerAttested['data'], 'ledgerId' | 'ledgerIndex' | 'ledgerHash'>,
): Promise<void> {
  const event = { type: 'LedgerAttested', data } as LedgerAttested;
  const stream = streams.attestation(data.ledgerId, data.ledgerIndex);
  await store.append([{ organisationId: null, stream, expectedVersion: 0, events: [event] }], meta);
}

const attestedOf = async (site: WebhookSite) =>
  (await deliveriesOf(site)).filter((row) => row.startsWith('proof.attested'));

test('notifies when signatures of validators are on record, once for each proof', async (t) => {
  for (const isCut of [false, true]) {
    const site = await createWebhookSite(t);
    await site.register();
    await site.register('https://other.example.com/', ['proof.completed']);
    const [one, two] = [await post(site), await post(site)];
    await site.anchoring.anchor(one.proofId);
    await site.anchoring.anchor(two.proofId);
    if (isCut) t.strictSame(await attestedOf(site), [], 'not before');
    await attest(site, one.proofId);
    t.strictSame(await attestedOf(site), [`proof.attested ${one.proofId}`]);
    await attest(site, two.proofId);
    const both = [one, two].map(({ proofId }) => `proof.attested ${proofId}`);
    t.strictSame(await attestedOf(site), both.sort());
    const { rows } = await site.pool.query('SELECT * FROM webhook_unattested_proofs');
    t.strictSame(rows, [], 'nothing is kept');
  }
});

test('notifies of each proof of one ledger, and of one that is recorded after its signatures', async (t) => {
  const site = await createWebhookSite(t);
  await site.register(undefined, ['proof.attested']);
  const ledger = { ledgerId: '1-L', ledgerIndex: 7, ledgerHash: randomHash() };
  const anchor = async (ledgerHash = ledger.ledgerHash) => {
    const { proofId } = await post(site);
    const { transactionHash } = await site.anchoring.prepare(proofId);
    const event = {
      type: 'Anchored',
      data: { ...ledger, ledgerHash, transactionHash },
    } as Anchored;
    const { organisationId } = site.uploads;
    const stream = streams.proof(proofId);
    const entry = { organisationId, stream, expectedVersion: 2, events: [event] };
    await site.store.append([entry], meta);
    return `proof.attested ${proofId}`;
  };
  const [one, two] = [await anchor(), await anchor()];
  await anchor(randomHash());
  await site.enqueue();
  await appendAttestation(site, ledger);
  const three = await anchor();
  await anchor(randomHash());
  t.strictSame(await deliveriesOf(site), [one, two, three].sort());
});

test('endpoints receive proof.attested of proofs that were anchored after their registration', async (t) => {
  const site = await createWebhookSite(t);
  const before = await post(site);
  await site.anchoring.anchor(before.proofId);
  await site.register();
  const [one, two] = [await post(site), await post(site)];
  for (const { proofId } of [one, two]) await site.anchoring.anchor(proofId);
  const late = await site.register('https://late.example.com/');
  await site.enqueue();
  await attest(site, before.proofId, one.proofId);
  t.strictSame(await attestedOf(site), [`proof.attested ${one.proofId}`]);
  await site.remove(late.webhookId);
  await attest(site, two.proofId);
  t.equal((await attestedOf(site)).length, 2);
});
