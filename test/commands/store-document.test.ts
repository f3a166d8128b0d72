import { test } from 'tap';
import { ulid } from 'ulid';
import { endWait } from '../../src/commands/end-wait.ts';
import { type ProofOrder, requestProof } from '../../src/commands/request-proof.ts';
import { type DocumentOrder, storeDocument } from '../../src/commands/store-document.ts';
import { blobKey } from '../../src/domain/blob/blob-key.ts';
import { BlobTooOld } from '../../src/domain/blob/orphan.ts';
import { documentDecider } from '../../src/domain/document/decider.ts';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import { streams } from '../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { joinTestStore } from '../support/event-store.ts';
import { createScriptedAnchoring } from '../support/scripted-anchoring.ts';
import { createUploadSite, uploadMeta as meta, uploadDeps } from '../support/uploads.ts';

async function start(allowance: number | null = null) {
  const { store } = await joinTestStore();
  const site = await createUploadSite(store, allowance);
  const proof = async (proofId: ProofId) =>
    (await load(store, streams.proof(proofId), proofDecider)).state;
  const document = async (documentId: DocumentId) =>
    (await load(store, streams.document(documentId), documentDecider)).state;
  const postHash = (order: DocumentOrder) =>
    requestProof(site.deps, { ...order, respondAsync: false } satisfies ProofOrder, meta);
  return { ...site, store, proof, document, postHash };
}

test('an upload creates a document with a queued proof and takes a unit', async (t) => {
  const { deps, order, proof, document, units } = await start();
  const upload = order({ description: 'Scan', classification: { runId: 'r1', risk: 3 } });
  const stored = await storeDocument(deps, upload, meta);
  t.match(stored, { created: true, alreadyProven: false, state: null, blobNamed: true });
  t.equal(stored.rootDocumentId, stored.documentId);
  const { network, hashScheme, ...file } = upload;
  const found = await document(stored.documentId);
  t.match(found, { status: 'stored', latest: { ...file, revision: 1, proofId: stored.proofId } });
  const state = await proof(stored.proofId);
  t.match(state, { status: 'pending', queued: true, request: { network, hashScheme } });
  if (state.status === 'pending') {
    const { documentId } = stored;
    const month = new Date().toISOString().slice(0, 7);
    const expected = { rootDocumentId: documentId, documentId, previousProofId: null };
    t.strictSame(state.request.document, { ...expected, unitMonth: month });
  }
  t.strictSame(await units(), ['UnitTaken 1']);
});

test('uploading the same bytes again returns the existing document at no cost', async (t) => {
  const { deps, store, order, units } = await start(1);
  const anchoring = await createScriptedAnchoring(store);
  const upload = order();
  const first = await storeDocument(deps, upload, meta);
  const head = await store.head();
  const again = await storeDocument(deps, order({ fileHash: upload.fileHash }), meta);
  const { documentId, proofId } = first;
  const known = { documentId, proofId, created: false, alreadyProven: true, blobNamed: false };
  t.match(again, { ...known, state: { status: 'pending' } });
  t.equal(await store.head(), head, 'nothing is appended');
  await anchoring.anchor(proofId);
  const late = await storeDocument(deps, order({ fileHash: upload.fileHash }), meta);
  t.match(late, { ...known, state: { status: 'completed' } });
  t.strictSame(await units(), ['UnitTaken 1']);
});

test('one of 20 concurrent uploads of the same bytes creates the document', async (t) => {
  const { deps, store, order, units } = await start();
  const { fileHash } = order();
  const orders = Array.from({ length: 20 }, () => order({ fileHash }));
  // Every second upload runs in its own process, without shared turns.
  const uploads = orders.map((one, index) =>
    storeDocument(index % 2 === 0 ? deps : uploadDeps(store), one, meta),
  );
  const stored = await Promise.all(uploads);
  t.equal(new Set(stored.map(({ documentId }) => documentId)).size, 1);
  const made = stored.filter(({ created }) => created);
  t.equal(made.length, 1);
  t.strictSame(
    stored.map(({ blobNamed }) => blobNamed),
    stored.map(({ created }) => created),
    'every other upload deletes its blob',
  );
  const named = await store.readLog(0, 100, ['DocumentStored']);
  t.equal(named.length, 1);
  const winner = orders[stored.findIndex(({ created }) => created)];
  t.match(named[0]?.data, { blobKey: winner?.blobKey });
  t.strictSame(await units(), ['UnitTaken 1']);
});

test('the same bytes in another workspace create another document', async (t) => {
  const { deps, store, order } = await start();
  const { fileHash, organisationId } = order();
  const other = ulid() as WorkspaceId;
  const created = { workspaceId: other, organisationId, name: 'Other' };
  const events = [{ type: 'WorkspaceCreated', data: created } as const];
  const stream = streams.workspace(other);
  await store.append([{ organisationId, stream, expectedVersion: 0, events }], meta);
  const one = await storeDocument(deps, order({ fileHash }), meta);
  const two = await storeDocument(deps, order({ fileHash, workspaceId: other }), meta);
  t.ok(one.created && two.created);
  t.not(one.documentId, two.documentId);
});

test('bytes of a hash that is already proven are stored under that proof, at no cost', async (t) => {
  const { deps, store, order, document, postHash, units } = await start(0);
  const anchoring = await createScriptedAnchoring(store);
  const upload = order();
  const { proofId } = await postHash(upload);
  await anchoring.anchor(proofId);
  const stored = await storeDocument(deps, upload, meta);
  const linked = { proofId, created: true, alreadyProven: true, blobNamed: true };
  t.match(stored, { ...linked, state: { status: 'completed' } });
  const found = await document(stored.documentId);
  t.match(found, { latest: { proofId, unitMonth: null, blobKey: upload.blobKey } });
  t.strictSame(await units(), []);
  t.equal((await store.readLog(0, 100, ['ProofRequested', 'ProofQueued'])).length, 1);
  const again = await storeDocument(deps, order({ fileHash: upload.fileHash }), meta);
  t.match(again, { created: false, documentId: stored.documentId, blobNamed: false });
});

test('uploading bytes of an unsettled hash queues its proof, which is never withdrawn', async (t) => {
  const { deps, store, order, proof, postHash, units } = await start(0);
  const anchoring = await createScriptedAnchoring(store);
  for (const prepared of [false, true]) {
    const upload = order();
    const { proofId } = await postHash(upload);
    if (prepared) await anchoring.prepare(proofId);
    const stored = await storeDocument(deps, upload, meta);
    t.match(stored, { proofId, created: true, alreadyProven: true, blobNamed: true });
    await endWait(store, proofId, meta);
    await anchoring.expire(proofId);
    t.match(await proof(proofId), { status: 'pending', queued: true });
    await anchoring.anchor(proofId);
    const again = await storeDocument(deps, order({ fileHash: upload.fileHash }), meta);
    t.match(again, { created: false, state: { status: 'completed' } });
  }
  t.strictSame(await units(), []);
});

/** A store that calls `happens` right before the first append. */
function beforeAppend(store: EventStore, happens: () => Promise<unknown>): EventStore {
  let happened = false;
  return {
    ...store,
    async append(...call) {
      if (!happened) {
        happened = true;
        await happens();
      }
      return store.append(...call);
    },
  };
}

test('an upload racing with the withdrawal of its proof creates a new proof', async (t) => {
  const { deps, store, order, proof, postHash, units } = await start();
  const upload = order();
  const { proofId } = await postHash(upload);
  // The upload decides to link. Before its append, the wait for the hash alone ends.
  const raced = beforeAppend(store, () => endWait(store, proofId, meta));
  const stored = await storeDocument({ ...deps, store: raced }, upload, meta);
  t.equal((await proof(proofId)).status, 'withdrawn');
  t.match(stored, { created: true, alreadyProven: false, state: null, blobNamed: true });
  t.not(stored.proofId, proofId);
  t.match(await proof(stored.proofId), { status: 'pending', queued: true });
  t.strictSame(await units(), ['UnitTaken 1']);
});

test('a withdrawal racing with the upload of its bytes does not happen', async (t) => {
  const { deps, store, order, proof, postHash } = await start();
  const upload = order();
  const { proofId } = await postHash(upload);
  // The wait decides to withdraw. Before its append, the bytes are uploaded.
  const raced = beforeAppend(store, () => storeDocument(deps, upload, meta));
  await endWait(raced, proofId, meta);
  t.match(await proof(proofId), { status: 'pending', queued: true });
  const again = await storeDocument(deps, order({ fileHash: upload.fileHash }), meta);
  t.match(again, { proofId, created: false });
});

test('an upload does not join a proof that is rolled back between two reads', async (t) => {
  const { deps, store, order, postHash } = await start();
  const upload = order();
  const { proofId } = await postHash(upload);
  let looks = 0;
  const interleaved: EventStore = {
    ...store,
    async readStream(stream) {
      if (stream === streams.proof(proofId) && looks++ === 0) await endWait(store, proofId, meta);
      return store.readStream(stream);
    },
  };
  const stored = await storeDocument({ ...deps, store: interleaved }, upload, meta);
  t.equal(looks, 1);
  t.match(stored, { created: true, alreadyProven: false });
  t.not(stored.proofId, proofId);
});

test('refuses a workspace of another organisation or an unknown workspace', async (t) => {
  const { deps, order } = await start();
  const elsewhere = await createUploadSite(deps.store);
  const { workspaceId } = elsewhere;
  const refused = { name: 'Refusal', code: 'INVALID_WORKSPACE' };
  await t.rejects(storeDocument(deps, order({ workspaceId }), meta), refused);
  const unknown = ulid() as WorkspaceId;
  await t.rejects(storeDocument(deps, order({ workspaceId: unknown }), meta), refused);
});

test('refuses a blob that may have been swept, or of another organisation', async (t) => {
  const { deps, store, order, organisationId } = await start();
  const head = await store.head();
  const hourAndMore = Date.now() - 3_600_001;
  const old = order({ blobKey: blobKey(organisationId, ulid(hourAndMore)) });
  await t.rejects(storeDocument(deps, old, meta), BlobTooOld);
  const foreign = order({ blobKey: blobKey(ulid() as OrganisationId, ulid()) });
  await t.rejects(storeDocument(deps, foreign, meta), TypeError);
  t.equal(await store.head(), head);
});
