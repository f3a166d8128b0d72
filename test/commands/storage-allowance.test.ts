import { merge } from 'rxjs';
import { type Test, test } from 'tap';
import { storage } from '../../projections/storage/project.ts';
import { findStoredFiles } from '../../projections/storage/query.ts';
import { chainRevision } from '../../src/commands/chain-revision.ts';
import { changeStorageAllowance } from '../../src/commands/change-storage-allowance.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { requestProof } from '../../src/commands/request-proof.ts';
import { storeDocument } from '../../src/commands/store-document.ts';
import { streams } from '../../src/domain/streams.ts';
import { createStoredBytes } from '../../src/http/documents/stored-bytes.ts';
import { foreseeDocument, foreseeRevision } from '../../src/loading/foresee-upload.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { prepareProjection, runProjector } from '../../src/subscriptions/projector.ts';
import { createTestStore, openTestStore } from '../support/event-store.ts';
import { createUploadSite, uploadMeta as meta, uploadDeps } from '../support/uploads.ts';

const fileSizeBytes = 1_000;

/** An organisation that stores files of 1,000 bytes, and two processes that take its uploads. */
async function startSite(t: Test) {
  const first = await createTestStore(t);
  const { db, store, url } = first;
  await prepareProjection(db, storage);
  const signal = openLogSignal(url, { pollMs: 20 });
  t.teardown(() => signal.close());
  const running = merge(runProjector({ db, store, signal, projection: storage })).subscribe();
  t.teardown(() => running.unsubscribe());
  const site = await createUploadSite(store);
  const { organisationId } = site;
  const order = (of: Parameters<typeof site.order>[0] = {}) => site.order({ fileSizeBytes, ...of });
  const storedBytes = createStoredBytes({ db, signal });
  const deps = { ...uploadDeps(store), storedBytes };
  const other = { ...uploadDeps(openTestStore(t, url).store), storedBytes };
  const allow = (allowance: Parameters<typeof changeStorageAllowance>[2]) =>
    changeStorageAllowance(store, organisationId, allowance, meta);
  const used = async () => storedBytes(organisationId, await store.head());
  const refused = (usedBytes: number, limit: number) => ({
    code: 'ENTITLEMENT_EXCEEDED',
    usage: {
      ...{ used: usedBytes, limit, unit: 'bytes' },
      remaining: Math.max(0, limit - usedBytes),
    },
  });
  return { ...site, db, store, deps, other, order, allow, used, refused };
}

test('concurrent uploads to two processes stop exactly at the storage allowance', async (t) => {
  const { store, organisationId, deps, other, order, allow, used, refused } = await startSite(t);
  await allow(5_500);
  const fileHash = order().fileHash;
  await requestProof(deps, { ...order({ fileHash }), respondAsync: true }, meta);
  const orders = [order({ fileHash }), ...Array.from({ length: 11 }, () => order())];
  const outcomes = await Promise.allSettled(
    orders.map((one, index) => storeDocument(index % 2 === 0 ? deps : other, one, meta)),
  );
  const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  t.equal(outcomes.length - failed.length, 5);
  for (const reason of failed) t.match(reason, refused(5_000, 5_500));
  t.equal(await used(), 5_000);
  const events = await store.readStream(streams.storage(organisationId));
  t.strictSame(
    events.map(({ type, data }) => `${type} ${'usedBytes' in data ? data.usedBytes : ''}`),
    ['StorageAllowanceChanged ', ...[1, 2, 3, 4, 5].map((n) => `StorageTaken ${n}000`)],
  );
});

test('files stored without an allowance count, known bytes cost nothing, and revisions count', async (t) => {
  const site = await startSite(t);
  const { db, store, organisationId, deps, order, allow, used, refused } = site;
  const upload = order();
  const { documentId: rootDocumentId } = await storeDocument(deps, upload, meta);
  t.equal(await store.readLast(streams.storage(organisationId)), null, 'no event without a limit');
  await allow(2_000);
  await chainRevision(deps, { ...order(), rootDocumentId }, meta);
  const beyond = order();
  await t.rejects(storeDocument(deps, beyond, meta), refused(2_000, 2_000));
  await t.rejects(foreseeDocument(deps, beyond), refused(2_000, 2_000));
  await t.rejects(chainRevision(deps, { ...order(), rootDocumentId }, meta), refused(2_000, 2_000));
  await t.rejects(
    foreseeRevision(deps, { ...order(), rootDocumentId }),
    refused(2_000, 2_000),
    'revisions are refused early too',
  );
  const known = order({ fileHash: upload.fileHash });
  t.match(await storeDocument(deps, known, meta), { created: false });
  const elsewhere = await createWorkspace(deps, { organisationId, name: 'Second' }, meta);
  const copy = order({ fileHash: upload.fileHash, workspaceId: elsewhere });
  await t.rejects(storeDocument(deps, copy, meta), refused(2_000, 2_000));
  t.equal(await used(), 2_000, 'what was refused takes nothing');

  await allow(1_500);
  await t.rejects(storeDocument(deps, beyond, meta), refused(2_000, 1_500));
  await allow('unlimited');
  await storeDocument(deps, beyond, meta);
  t.equal(await used(), 3_000);
  t.match(await findStoredFiles(db, organisationId), { files: 3, allowance: 'unlimited' });
});

test('a hash that was posted alone takes storage when its bytes arrive', async (t) => {
  const { deps, order, allow, used, refused } = await startSite(t);
  await allow(999);
  const posted = order();
  await requestProof(deps, { ...posted, respondAsync: true }, meta);
  await t.rejects(foreseeDocument(deps, posted), refused(0, 999));
  await t.rejects(storeDocument(deps, posted, meta), refused(0, 999));
  await allow(1_000);
  t.equal(await foreseeDocument(deps, posted), null);
  t.match(await storeDocument(deps, posted, meta), { alreadyProven: true, created: true });
  t.equal(await used(), 1_000);
});

test('an append that fails leaves the storage free', async (t) => {
  const { store, deps, order, allow, used } = await startSite(t);
  await allow(1_000);
  const append = () => Promise.reject(new Error('the database is away'));
  const failing = { ...store, append };
  await t.rejects(storeDocument({ ...deps, store: failing }, order(), meta), /database is away/);
  t.equal(await used(), 0);
  await storeDocument(deps, order(), meta);
  t.equal(await used(), 1_000);
});

test('organisations without their own allowance have the configured one', async (t) => {
  const { store, deps, other, order, allow, refused } = await startSite(t);
  const limited = { ...deps, defaultStorageAllowance: 1_000 };
  const outcomes = await Promise.allSettled(
    [limited, { ...other, defaultStorageAllowance: 1_000 }].map((by) =>
      storeDocument(by, order(), meta),
    ),
  );
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  await t.rejects(storeDocument(limited, order(), meta), refused(1_000, 1_000));
  await allow(3_000);
  await storeDocument(limited, order(), meta);
  await allow('default');
  await t.rejects(storeDocument(limited, order(), meta), refused(2_000, 1_000));
  const opened = { name: 'B', plan: 'professional', storageAllowance: 7 } as const;
  const organisationId = await openOrganisation(deps, opened, meta);
  t.match(await store.readLast(streams.storage(organisationId)), { data: { storageAllowance: 7 } });
  await t.rejects(changeStorageAllowance(store, organisationId, -1, meta), {
    code: 'INVALID_REQUEST',
  });
});
