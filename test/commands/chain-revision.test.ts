import { test } from 'tap';
import { ulid } from 'ulid';
import { chainRevision } from '../../src/commands/chain-revision.ts';
import { endWait } from '../../src/commands/end-wait.ts';
import { giveUpProof } from '../../src/commands/give-up-proof.ts';
import { requestProof } from '../../src/commands/request-proof.ts';
import { type DocumentOrder, storeDocument } from '../../src/commands/store-document.ts';
import { blobKey } from '../../src/domain/blob/blob-key.ts';
import { BlobTooOld } from '../../src/domain/blob/orphan.ts';
import { documentDecider } from '../../src/domain/document/decider.ts';
import { type Revision, revisionsOf } from '../../src/domain/document/state.ts';
import type { StoredUpload } from '../../src/domain/document/upload.ts';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import { streams } from '../../src/domain/streams.ts';
import type { DocumentId, ProofId } from '../../src/domain/ulid.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { foreseeDocument } from '../../src/loading/foresee-upload.ts';
import { joinTestStore } from '../support/event-store.ts';
import { createScriptedAnchoring } from '../support/scripted-anchoring.ts';
import { createUploadSite, uploadMeta as meta, uploadDeps } from '../support/uploads.ts';

async function start() {
  const { store } = await joinTestStore();
  const site = await createUploadSite(store);
  const { deps, order } = site;
  /** Revisions of a document, oldest first. */
  const revisions = async (root: DocumentId): Promise<readonly Revision[]> => {
    const { state } = await load(store, streams.document(root), documentDecider);
    return state.status === 'unknown' ? [] : revisionsOf(state).reverse();
  };
  const previousProof = async (proofId: ProofId) => {
    const { state } = await load(store, streams.proof(proofId), proofDecider);
    if (state.status === 'unknown') throw new Error('no such proof');
    return state.request.document?.previousProofId;
  };
  const revise = (rootDocumentId: DocumentId, of: Partial<DocumentOrder> = {}, by = deps) =>
    chainRevision(by, { ...order(of), rootDocumentId }, meta);
  return { ...site, store, revisions, previousProof, revise };
}

const pick = ({ documentId, rootDocumentId, proofId }: StoredUpload) => ({
  documentId,
  rootDocumentId,
  proofId,
});

test('a revision has its own proof, chained to the previous one, and inherits its workspace', async (t) => {
  const { deps, order, revise, revisions, previousProof, workspaceId } = await start();
  const classification = { runId: 'sweep-1', risk: 'high' };
  const upload = order({ classification, description: 'first' });
  const first = await storeDocument(deps, upload, meta);
  const { documentId: root } = first;
  const second = await revise(root, { fileName: 'v2.pdf' });
  t.match(second, { rootDocumentId: root, created: true, alreadyProven: false, blobNamed: true });
  const own = { runId: 'sweep-2' };
  const third = await revise(root, { classification: own, description: 'third' });
  const fourth = await revise(root);
  const found = await revisions(root);
  t.match(found, [
    { revision: 1, previousDocumentId: null, description: 'first', classification },
    { revision: 2, previousDocumentId: root, description: null, fileName: 'v2.pdf' },
    { revision: 3, previousDocumentId: second.documentId, description: 'third' },
    { revision: 4, previousDocumentId: third.documentId },
  ]);
  t.strictSame(
    found.map((revision) => revision.classification),
    [classification, classification, own, own],
    'the classification of the latest revision, as a whole',
  );
  t.ok(found.every((revision) => revision.workspaceId === workspaceId));
  t.equal(await previousProof(first.proofId), null);
  t.equal(await previousProof(second.proofId), first.proofId);
  t.equal(await previousProof(third.proofId), second.proofId);
  t.equal(await previousProof(fourth.proofId), third.proofId);
});

test('bytes of the latest revision add no revision, bytes of an older revision do', async (t) => {
  const { deps, store, order, revise } = await start();
  const upload = order();
  const { documentId: root, proofId } = await storeDocument(deps, upload, meta);
  const head = await store.head();
  const again = await revise(root, { fileHash: upload.fileHash });
  const known = { created: false, alreadyProven: true, blobNamed: false };
  t.match(again, { ...known, documentId: root, proofId, state: { status: 'pending' } });
  t.equal(await store.head(), head, 'nothing is appended');
  const second = await revise(root);
  const back = await revise(root, { fileHash: upload.fileHash });
  t.match(back, { created: true, alreadyProven: false });
  t.not(back.proofId, proofId);
  const stored = await storeDocument(deps, order({ fileHash: upload.fileHash }), meta);
  t.equal(stored.documentId, root, 'the hash stays with its first document');
  t.not(second.documentId, back.documentId);
});

test('a revision claims its hash only if the hash is free', async (t) => {
  const { deps, order, revise, units } = await start();
  const { documentId: root } = await storeDocument(deps, order(), meta);
  const fresh = order();
  const second = await revise(root, { fileHash: fresh.fileHash });
  const same = await storeDocument(deps, order({ fileHash: fresh.fileHash }), meta);
  t.match(same, { documentId: second.documentId, rootDocumentId: root, created: false });
  t.equal(same.proofId, second.proofId);
  const posted = await requestProof(deps, { ...fresh, respondAsync: true }, meta);
  t.match(posted, { created: false, proofId: second.proofId }, 'posting the hash alone later');
  t.equal((await units()).length, 2, 'one unit for the first upload, one for the revision');
});

test('uploading a hash posted alone finds its first revision, and never a second document', async (t) => {
  const { deps, store, order, revise, units, organisationId, workspaceId } = await start();
  const { documentId: root } = await storeDocument(deps, order(), meta);
  const hashOnly = order();
  const { fileHash } = hashOnly;
  const posted = await requestProof(deps, { ...hashOnly, respondAsync: true }, meta);
  const revision = await revise(root, { fileHash });
  t.not(revision.proofId, posted.proofId, 'a revision has a proof of its own');
  const original = { ...pick(revision), created: false, alreadyProven: true, blobNamed: false };
  const foreseen = { organisationId, workspaceId, fileHash, fileSizeBytes: 1 };
  t.match(await foreseeDocument(deps, foreseen), original);
  t.match(await storeDocument(deps, order({ fileHash }), meta), original);
  t.match(await requestProof(deps, { ...hashOnly, respondAsync: true }, meta), {
    created: false,
    proofId: posted.proofId,
  });

  const other = await storeDocument(deps, order(), meta);
  const again = await revise(other.documentId, { fileHash });
  t.ok(again.created, 'the same bytes are also a revision of another document');
  t.match(
    await storeDocument(deps, order({ fileHash }), meta),
    original,
    'the first revision keeps the hash',
  );
  await giveUpProof(store, again.proofId, meta);
  t.match(await storeDocument(deps, order({ fileHash }), meta), original);

  await giveUpProof(store, revision.proofId, meta);
  const linked = await storeDocument(deps, order({ fileHash }), meta);
  t.match(linked, { proofId: posted.proofId, created: true, alreadyProven: true });
  t.equal((await units()).at(-1), 'UnitReturned 2', 'units of the two first uploads');
});

test('a revision keeps its hash when the proof of the hash alone is rolled back', async (t) => {
  const { deps, store, order, revise } = await start();
  const { documentId: root } = await storeDocument(deps, order(), meta);
  const hashOnly = order();
  const { fileHash } = hashOnly;
  const posted = await requestProof(deps, { ...hashOnly, respondAsync: false }, meta);
  const revision = await revise(root, { fileHash });
  await endWait(store, posted.proofId, meta);
  t.match(await storeDocument(deps, order({ fileHash }), meta), {
    ...pick(revision),
    created: false,
  });
  t.match(await requestProof(deps, { ...hashOnly, respondAsync: true }, meta), {
    created: false,
    proofId: revision.proofId,
  });
  await giveUpProof(store, revision.proofId, meta);
  const anew = await storeDocument(deps, order({ fileHash }), meta);
  t.match(
    anew,
    { created: true, alreadyProven: false },
    'the hash is free when both proofs are gone',
  );
});

test('concurrent posts, rollbacks, uploads and revisions of the same bytes leave one document', async (t) => {
  for (let round = 0; round < 6; round += 1) {
    const { deps, store, order, revise } = await start();
    const other = uploadDeps(store);
    const roots = await Promise.all([1, 2].map(() => storeDocument(deps, order(), meta)));
    const hashOnly = order();
    const { fileHash } = hashOnly;
    const post = async () => {
      const { proofId } = await requestProof(other, { ...hashOnly, respondAsync: false }, meta);
      await endWait(store, proofId, meta);
    };
    const uploads = [deps, other].map((by) => () => storeDocument(by, order({ fileHash }), meta));
    const revisions = roots.map(
      ({ documentId }) =>
        () =>
          revise(documentId, { fileHash }, other),
    );
    const acts: readonly (() => Promise<unknown>)[] = [post, ...uploads, ...revisions, post];
    const turned = [...acts.slice(round), ...acts.slice(0, round)];
    await Promise.all(turned.map((act) => act()));
    const { documentId } = await storeDocument(deps, order({ fileHash }), meta);
    const stored = await store.readLog(0, 1_000, ['DocumentStored', 'RevisionChained']);
    const own = stored.filter(({ data }) => 'fileHash' in data && data.fileHash === fileHash);
    t.ok(own.some(({ data }) => 'documentId' in data && data.documentId === documentId));
    const firsts = own.filter(({ type }) => type === 'DocumentStored');
    t.ok(firsts.length <= 1, `${firsts.length} first uploads`);
    t.equal(
      (await store.readLog(0, 1_000, ['HashStored'])).length,
      3,
      'one HashStored event for these bytes',
    );
  }
});

test('20 concurrent revisions from two processes form one chain without a fork', async (t) => {
  const { deps, store, order, revise, revisions, previousProof } = await start();
  const first = await storeDocument(deps, order(), meta);
  const { documentId: root } = first;
  const other = uploadDeps(store);
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => revise(root, {}, index % 2 === 0 ? deps : other)),
  );
  t.ok(made.every(({ created }) => created));
  const found = await revisions(root);
  t.strictSame(
    found.map(({ revision }) => revision),
    Array.from({ length: 21 }, (_, index) => index + 1),
  );
  const expected = new Set([root, ...made.map(({ documentId }) => documentId)]);
  t.strictSame(new Set(found.map(({ documentId }) => documentId)), expected, 'none is lost');
  for (const [index, { previousDocumentId, proofId }] of found.entries()) {
    const before = found[index - 1];
    t.equal(previousDocumentId, before?.documentId ?? null);
    t.equal(await previousProof(proofId), before?.proofId ?? null);
  }
});

test('a revision follows the newest one not given up, and no number is reused', async (t) => {
  const { deps, store, order, revise, revisions, previousProof } = await start();
  const first = await storeDocument(deps, order(), meta);
  const { documentId: root } = first;
  const kept = await revise(root, { classification: { of: 'kept' } });
  const lost = await Promise.all([1, 2, 3].map(() => revise(root, { classification: {} })));
  for (const { proofId } of lost) await giveUpProof(store, proofId, meta);
  const next = await revise(root);
  t.equal(await previousProof(next.proofId), kept.proofId);
  t.match((await revisions(root)).at(-1), {
    revision: 6,
    previousDocumentId: kept.documentId,
    classification: { of: 'kept' },
  });
});

test('a document whose only upload was given up cannot be revised', async (t) => {
  const { deps, store, order, revise } = await start();
  const notFound = { name: 'Refusal', code: 'PROOF_NOT_FOUND' };
  const upload = order();
  const first = await storeDocument(deps, upload, meta);
  await giveUpProof(store, first.proofId, meta);
  await t.rejects(revise(first.documentId, { fileHash: upload.fileHash }), notFound);
  await t.rejects(revise(ulid() as DocumentId), notFound);
  const elsewhere = await createUploadSite(store);
  const foreign = await storeDocument(elsewhere.deps, elsewhere.order(), meta);
  await t.rejects(
    revise(foreign.documentId),
    notFound,
    'same answer for a document of another organisation',
  );
});

test('a document linked to an anchored proof of its hash can be revised', async (t) => {
  const { deps, store, order, revise, previousProof } = await start();
  const anchoring = await createScriptedAnchoring(store);
  const upload = order();
  const posted = await requestProof(deps, { ...upload, respondAsync: false }, meta);
  await anchoring.anchor(posted.proofId);
  const { documentId: root } = await storeDocument(deps, upload, meta);
  const second = await revise(root);
  t.equal(
    await previousProof(second.proofId),
    posted.proofId,
    'chained to the proof of the hash alone',
  );
});

test('refuses a revision whose blob may already have been swept', async (t) => {
  const { deps, order, revise, organisationId } = await start();
  const { documentId: root } = await storeDocument(deps, order(), meta);
  const old = blobKey(organisationId, ulid(Date.now() - 3_600_001));
  await t.rejects(revise(root, { blobKey: old }), BlobTooOld);
});
