import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { listOrganisations } from '../../../projections/access/query.ts';
import { documents } from '../../../projections/documents/project.ts';
import { projections } from '../../../projections/registry.ts';
import { readAnchoring } from '../../../src/anchoring-state/read-anchoring.ts';
import { issueKey } from '../../../src/commands/issue-key.ts';
import { requestProof } from '../../../src/commands/request-proof.ts';
import { storeDocument } from '../../../src/commands/store-document.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { forgetKeyUsesOf } from '../../../src/http/keys/key-uses.ts';
import { applyErasures } from '../../../src/reactors/erasing/apply-erasures.ts';
import { catchUp } from '../../../src/subscriptions/catch-up.ts';
import { type Projection, tableName } from '../../../src/subscriptions/projection.ts';
import { listBuilds } from '../../../src/subscriptions/projection-builds.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import { rebuildProjection } from '../../../src/subscriptions/rebuild-projection.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { newFolder, openFileStorage } from '../../support/blobs.ts';
import { createTestStore, testDeps } from '../../support/event-store.ts';
import { createScriptedAnchoring } from '../../support/scripted-anchoring.ts';
import { createUploadSite, uploadMeta } from '../../support/uploads.ts';

const aKey = (organisationId: OrganisationId) => ({
  ...{ organisationId, scopes: ['documents:read'], expiresAt: null, agent: false, name: null },
  ...{ requestsPerMinute: null, requestsPerDay: null, issuedBy: null },
});

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
  const locks = openWorkLocks(database.url);
  t.teardown(() => locks.close());
  const rebuilt = await rebuildProjection({ db, store, locks, projection: documents });
  t.equal(rebuilt.outcome, 'swapped');

  const erase = async () => {
    const named: OrganisationId[] = [];
    await applyErasures({
      ...{ storage, database, store, projections },
      forgetKeyUses: (ids) => forgetKeyUsesOf(db, ids),
      onErasing: (ids) => named.push(...ids),
    });
    return named;
  };
  for (const { organisationId } of [gone, kept]) {
    const { keyId } = await issueKey({ ...testDeps, store }, aKey(organisationId), uploadMeta);
    await database.pool.query('INSERT INTO key_uses VALUES ($1, now())', [keyId]);
  }
  const used = await database.pool.query('SELECT key_id FROM key_uses ORDER BY last_used_at');
  t.strictSame(await erase(), []);
  await storage.noteErasure(gone.organisationId);
  await storage.noteErasure(gone.organisationId);
  t.strictSame(await erase(), [gone.organisationId]);
  t.strictSame(await erase(), []);
  const { rows: uses } = await database.pool.query('SELECT key_id FROM key_uses');
  t.strictSame(uses, used.rows.slice(1), 'uses of the erased keys are forgotten');
  t.equal(await store.lastPositionOf(gone.organisationId), await store.head());
  t.match(
    (await listOrganisations(db)).map(({ organisationId }) => organisationId),
    [kept.organisationId],
  );
  const builds = await listBuilds(db, documents.name);
  t.strictSame(
    builds.map(({ status }) => status),
    ['kept', 'live'],
  );
  for (const { build, status } of builds) {
    const { rows } = await database.pool.query(
      `SELECT DISTINCT organisation_id AS id FROM ${tableName(build)('documents')}`,
    );
    t.strictSame(rows, [{ id: kept.organisationId }], `the ${status} build`);
  }
  t.match(await readAnchoring({ store, db }, 'testnet'), { pending: 1, processing: 2 });
});

test('refuses to start on a backup of another release until that release has erased again', async (t) => {
  const database = await createTestStore(t);
  const { store, db } = database;
  const storage = await openFileStorage(await newFolder(t));
  const { organisationId } = await createUploadSite(store);
  for (const projection of projections) await prepareProjection(db, projection);
  await catchUp({ db, store, projections, position: await store.head() });
  await storage.noteErasure(organisationId);
  const head = await store.head();

  const shared = { storage, database, store, forgetKeyUses: async () => {} };
  const named: OrganisationId[] = [];
  const onErasing = (ids: readonly OrganisationId[]) => void named.push(...ids);
  const raised = (one: Projection): Projection => ({ ...one, version: one.version + 1 });
  const next = projections.map((one) => (one.name === documents.name ? raised(one) : one));
  const start = () => applyErasures({ ...shared, projections: next, onErasing });
  for (const which of ['first', 'next'] as const) {
    await t.rejects(
      start(),
      { message: new RegExp(`${organisationId}.*of the projection documents`) },
      which,
    );
  }
  t.strictSame(named, [], 'no organisation is named as erased');
  t.equal(await store.head(), head, 'no organisation is ended');

  await applyErasures({ ...shared, projections, onErasing });
  t.strictSame(named, [organisationId]);
  await start();
  t.strictSame(await listOrganisations(db), []);
});

test('names the organisations even if the start is interrupted while they are ended', async (t) => {
  const database = await createTestStore(t);
  const { store, db } = database;
  const storage = await openFileStorage(await newFolder(t));
  const sites = [await createUploadSite(store), await createUploadSite(store)];
  const noted = sites.map(({ organisationId }) => organisationId);
  for (const projection of projections) await prepareProjection(db, projection);
  for (const id of noted) await storage.noteErasure(id);
  const start = async (killed: boolean) => {
    const named: OrganisationId[] = [];
    const starting = applyErasures({
      ...{ storage, database, projections, forgetKeyUses: async () => {} },
      // The first step after the ends of the organisations.
      store: killed ? { ...store, head: () => Promise.reject(new Error('killed')) } : store,
      onErasing: (ids) => named.push(...ids),
    });
    if (killed) await t.rejects(starting, { message: 'killed' });
    else await starting;
    return named.sort();
  };
  t.strictSame(await start(true), noted.sort());
  t.strictSame(await start(false), [], 'the next start does not see them');
});

test('refuses to start while the list of erased organisations cannot be read', async (t) => {
  const database = await createTestStore(t);
  const storage = { erasures: () => Promise.reject(new Error('away')) };
  const { store } = database;
  const forgetKeyUses = async () => {};
  const deps = { storage, database, store, projections, forgetKeyUses, onErasing: () => {} };
  await t.rejects(applyErasures(deps), {
    message: /cannot be read which organisations were erased: away/,
  });
});
