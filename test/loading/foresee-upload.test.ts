import { test } from 'tap';
import { ulid } from 'ulid';
import { chainRevision } from '../../src/commands/chain-revision.ts';
import { giveUpProof } from '../../src/commands/give-up-proof.ts';
import { requestProof } from '../../src/commands/request-proof.ts';
import { storeDocument } from '../../src/commands/store-document.ts';
import { maxRevisions } from '../../src/domain/document/decider.ts';
import { streams } from '../../src/domain/streams.ts';
import type { DocumentId, WorkspaceId } from '../../src/domain/ulid.ts';
import { foreseeDocument, foreseeRevision } from '../../src/loading/foresee-upload.ts';
import { createTestStore } from '../support/event-store.ts';
import { createUploadSite, uploadMeta as meta } from '../support/uploads.ts';

test('predicts the result of uploading a document, and appends nothing', async (t) => {
  const { store } = await createTestStore(t);
  const { deps, order } = await createUploadSite(store, 1);
  const first = order();
  const proven = order();
  await requestProof(deps, { ...proven, respondAsync: true }, meta);
  t.equal(await foreseeDocument(deps, first), null, 'the bytes are needed');
  const { documentId, rootDocumentId, proofId } = await storeDocument(deps, first, meta);
  const head = await store.head();
  t.match(await foreseeDocument(deps, first), {
    documentId,
    rootDocumentId,
    proofId,
    created: false,
    alreadyProven: true,
    blobNamed: false,
    state: { status: 'pending' },
  });
  t.equal(await foreseeDocument(deps, proven), null, 'bytes of a proven hash too');
  const usage = { used: 1, limit: 1, remaining: 0, unit: 'documents' };
  await t.rejects(foreseeDocument(deps, order()), { code: 'ENTITLEMENT_EXCEEDED', usage });
  const elsewhere = order({ workspaceId: ulid() as WorkspaceId });
  await t.rejects(foreseeDocument(deps, elsewhere), { code: 'INVALID_WORKSPACE' });
  t.equal(await store.head(), head);
  await giveUpProof(store, proofId, meta);
  t.equal(
    await foreseeDocument(deps, first),
    null,
    'after the document was given up, its bytes are needed again',
  );
});

test('predicts the result of uploading a revision', async (t) => {
  const { store } = await createTestStore(t);
  const { deps, order } = await createUploadSite(store, 2);
  const root = order();
  const { documentId: rootDocumentId } = await storeDocument(deps, root, meta);
  const second = { ...order(), rootDocumentId };
  t.equal(await foreseeRevision(deps, second), null);
  const { documentId, proofId } = await chainRevision(deps, second, meta);
  t.match(await foreseeRevision(deps, second), { documentId, rootDocumentId, created: false });
  const usage = { used: 2, limit: 2, remaining: 0, unit: 'documents' };
  for (const next of [order(), root]) {
    const revision = { ...next, rootDocumentId };
    await t.rejects(foreseeRevision(deps, revision), { code: 'ENTITLEMENT_EXCEEDED', usage });
  }
  const unknown = { ...order(), rootDocumentId: ulid() as DocumentId };
  await t.rejects(foreseeRevision(deps, unknown), { code: 'PROOF_NOT_FOUND' });
  await giveUpProof(store, proofId, meta);
  t.equal(
    await foreseeRevision(deps, second),
    null,
    'a revision that was given up is not the latest',
  );
});

test('predicts that a document with 1,000 revisions gets no further one', async (t) => {
  const { store } = await createTestStore(t);
  const { deps, order, organisationId } = await createUploadSite(store);
  const root = order();
  const { documentId: rootDocumentId } = await storeDocument(deps, root, meta);
  const stream = streams.document(rootDocumentId);
  const [first] = await store.readStream(stream);
  const link = { rootDocumentId, previousDocumentId: rootDocumentId, revision: maxRevisions };
  const data = { ...first?.data, documentId: ulid(), ...link };
  const events = [{ type: 'RevisionChained', data } as never];
  await store.append([{ organisationId, stream, expectedVersion: 1, events }], meta);
  const next = foreseeRevision(deps, { ...order(), rootDocumentId });
  await t.rejects(next, { code: 'INVALID_REQUEST', message: /^1000 revisions/ });
  const same = foreseeRevision(deps, { ...root, rootDocumentId });
  t.match(await same, { created: false, alreadyProven: true }, 'the bytes of the latest revision');
});
