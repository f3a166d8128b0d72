import { test } from 'tap';
import { chainRevision } from '../../src/commands/chain-revision.ts';
import { giveUpProof } from '../../src/commands/give-up-proof.ts';
import { requestProof } from '../../src/commands/request-proof.ts';
import { storeDocument } from '../../src/commands/store-document.ts';
import { joinTestStore, openTestStore } from '../support/event-store.ts';
import { createScriptedAnchoring } from '../support/scripted-anchoring.ts';
import { createUploadSite, uploadDeps, uploadMeta } from '../support/uploads.ts';

const meta = { actor: 'operator' } as const;

test('giving up a document returns its unit once and allows the same upload again', async (t) => {
  const { store } = await joinTestStore();
  const { deps, order, units } = await createUploadSite(store, 1);
  const upload = order();
  const first = await storeDocument(deps, upload, uploadMeta);
  await Promise.all([1, 2, 3].map(() => giveUpProof(store, first.proofId, meta)));
  await giveUpProof(store, first.proofId, meta);
  t.strictSame(await units(), ['UnitTaken 1', 'UnitReturned 0']);
  const again = await storeDocument(deps, order({ fileHash: upload.fileHash }), uploadMeta);
  t.match(again, { created: true, alreadyProven: false });
  t.not(again.documentId, first.documentId);
  t.strictSame(await units(), ['UnitTaken 1', 'UnitReturned 0', 'UnitTaken 1']);
});

test('giving up a revision keeps a hash claimed by another document', async (t) => {
  const { store } = await joinTestStore();
  const { deps, order, units } = await createUploadSite(store);
  const upload = order();
  const { documentId: rootDocumentId } = await storeDocument(deps, upload, uploadMeta);
  const revise = (of = {}) => chainRevision(deps, { ...order(of), rootDocumentId }, uploadMeta);
  await revise();
  const back = await revise({ fileHash: upload.fileHash });
  await giveUpProof(store, back.proofId, meta);
  t.equal((await store.readLog(0, 100, ['HashReleased'])).length, 0);
  const same = await storeDocument(deps, order({ fileHash: upload.fileHash }), uploadMeta);
  t.match(same, { created: false, documentId: rootDocumentId });
  t.equal((await units()).at(-1), 'UnitReturned 2');
});

test('giving up a document that cost no unit returns none', async (t) => {
  const { store } = await joinTestStore();
  const { deps, order, units } = await createUploadSite(store, 0);
  const upload = order();
  const { proofId } = await requestProof(deps, { ...upload, respondAsync: false }, uploadMeta);
  const stored = await storeDocument(deps, upload, uploadMeta);
  t.equal(stored.proofId, proofId);
  await giveUpProof(store, proofId, meta);
  t.strictSame(await units(), []);
  await t.rejects(storeDocument(deps, order({ fileHash: upload.fileHash }), uploadMeta), {
    code: 'ENTITLEMENT_EXCEEDED',
  });
});

test('a proof with a transaction under way or anchored cannot be given up', async (t) => {
  const { store } = await joinTestStore();
  const { deps, order, units } = await createUploadSite(store);
  const anchoring = await createScriptedAnchoring(store);
  const { proofId } = await storeDocument(deps, order(), uploadMeta);
  await anchoring.prepare(proofId);
  await t.rejects(giveUpProof(store, proofId, meta), { code: 'INVALID_REQUEST' });
  await anchoring.anchor(proofId);
  await t.rejects(giveUpProof(store, proofId, meta), { code: 'INVALID_REQUEST' });
  t.strictSame(await units(), ['UnitTaken 1']);
});

test('returned units are counted correctly while another process takes units', async (t) => {
  const { store, url } = await joinTestStore();
  const { deps, order, units } = await createUploadSite(store);
  const given = await Promise.all(
    Array.from({ length: 10 }, () => storeDocument(deps, order(), uploadMeta)),
  );
  const other = uploadDeps(openTestStore(t, url).store);
  await Promise.all([
    ...Array.from({ length: 30 }, () => storeDocument(other, order(), uploadMeta)),
    ...given.map(({ proofId }) => giveUpProof(store, proofId, meta)),
  ]);
  const unitEvents = await units();
  t.equal(unitEvents.filter((unit) => unit.startsWith('UnitTaken')).length, 40);
  t.equal(unitEvents.filter((unit) => unit.startsWith('UnitReturned')).length, 10);
  t.equal(unitEvents.at(-1)?.split(' ')[1], '30');
});
