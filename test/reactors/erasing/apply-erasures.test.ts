import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { listOrganisations } from '../../../projections/access/query.ts';
import { projections } from '../../../projections/registry.ts';
import { requestProof } from '../../../src/commands/request-proof.ts';
import { storeDocument } from '../../../src/commands/store-document.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import { readAnchoring } from '../../../src/reactors/anchoring/read-anchoring.ts';
import { applyErasures } from '../../../src/reactors/erasing/apply-erasures.ts';
import { catchUp } from '../../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import { newFolder, openFileStorage } from '../../support/blobs.ts';
import { createTestStore, testDeps } from '../../support/event-store.ts';
import { createScriptedAnchoring } from '../../support/scripted-anchoring.ts';
import { createUploadSite, uploadMeta } from '../../support/uploads.ts';

test('erases an organisation again in a restored backup, including its open proofs', async (t) => {
  const database = await createTestStore(t);
  const { store, db } = database;
  const storage = await openFileStorage(await newFolder(t));
  const [gone, kept] = [await createUploadSite(store), await createUploadSite(store)];
  const anchoring = await createScriptedAnchoring(store);
  for (const { deps, organisationId, workspaceId, order } of [gone, kept]) {
    await storeDocument(deps, order(), uploadMeta);
    for (const hashScheme of ['sha256-plain-v1', 'hmac-sha256-nonce-v3'] as const) {
      const fileHash = randomBytes(32).toString('hex') as Digest;
      const none = { fileName: null, fileSizeBytes: null, mimeType: null, description: null };
      const proof = { organisationId, workspaceId, hashScheme, fileHash, ...none };
      const asked = { ...proof, network: 'testnet', respondAsync: true } as const;
      const { proofId } = await requestProof({ ...testDeps, store }, asked, uploadMeta);
      await anchoring.prepare(proofId);
    }
  }
  for (const projection of projections) await prepareProjection(db, projection);
  await catchUp({ db, store, projections, position: await store.head() });
  t.match(await readAnchoring({ store, db }, 'testnet'), { pending: 2, processing: 4 });

  t.equal(await applyErasures({ storage, database, store, projections }), 0);
  await storage.noteErasure(gone.organisationId);
  await storage.noteErasure(gone.organisationId);
  t.equal(await applyErasures({ storage, database, store, projections }), 1);
  t.equal(await applyErasures({ storage, database, store, projections }), 0);
  t.equal(await store.lastPositionOf(gone.organisationId), await store.head());
  t.match(
    (await listOrganisations(db)).map(({ organisationId }) => organisationId),
    [kept.organisationId],
  );
  t.match(await readAnchoring({ store, db }, 'testnet'), { pending: 1, processing: 2 });
});

test('refuses to start while the list of erased organisations cannot be read', async (t) => {
  const database = await createTestStore(t);
  const storage = { erasures: () => Promise.reject(new Error('away')) };
  await t.rejects(applyErasures({ storage, database, store: database.store, projections }), {
    message: /cannot be read which organisations were erased: away/,
  });
});
