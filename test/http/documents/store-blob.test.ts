import { access } from 'node:fs/promises';
import { type Test, test } from 'tap';
import type { BytesVerdict } from '../../../src/byte-verification/contract.ts';
import { VerificationUnavailable } from '../../../src/byte-verification/verification-unavailable.ts';
import { BlobTooOld } from '../../../src/domain/blob/orphan.ts';
import type { StoredUpload } from '../../../src/domain/document/upload.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { StoreSilent, StoreUnavailable } from '../../../src/event-store/connection-loss.ts';
import type { Appended, EventStore } from '../../../src/event-store/event-store.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { VersionConflict } from '../../../src/event-store/version-conflict.ts';
import { storeBlob, type UploadPlan } from '../../../src/http/documents/store-blob.ts';
import type { BlobStorage } from '../../../src/storage/contract.ts';
import { StorageUnavailable } from '../../../src/storage/storage-unavailable.ts';
import {
  listedKeys,
  newBlobKey,
  newFolder,
  newOrganisationId,
  openFileStorage,
  streamOf,
} from '../../support/blobs.ts';

const stored = { blobNamed: true } as StoredUpload;
const known = { blobNamed: false } as StoredUpload;
const verified: BytesVerdict = { status: 'verified' };

/** Stores one upload. `trouble` defines the failing steps, `effects` lists the steps in order. */
async function keep(
  t: Test,
  trouble: {
    readonly plan?: Partial<UploadPlan>;
    readonly store?: EventStore['append'];
    readonly verify?: () => Promise<BytesVerdict>;
    readonly storage?: (real: BlobStorage) => Partial<BlobStorage>;
  } = {},
) {
  const real = await openFileStorage(await newFolder(t));
  const effects: string[] = [];
  const leftovers: unknown[] = [];
  const note = <Args extends unknown[], Result>(
    name: string,
    effect: (...args: Args) => Promise<Result>,
  ) => {
    return async (...args: Args) => {
      effects.push(name);
      return effect(...args);
    };
  };
  const faulty = {
    put: real.put.bind(real),
    delete: real.delete.bind(real),
    ...trouble.storage?.(real),
  };
  const storage = {
    put: note('put', faulty.put),
    delete: note('delete', faulty.delete),
  } as BlobStorage;
  const plan = {
    foresee: note('foresee', trouble.plan?.foresee ?? (async () => null)),
    append: note('append', trouble.plan?.append ?? (async () => stored)),
  };
  const verification = {
    verify: note('verify', trouble.verify ?? (async () => verified)),
    close: async () => {},
  };
  const staged = await real.stage(newOrganisationId(), streamOf(Buffer.from('bytes')));
  const append = trouble.store ?? (async () => ({}) as Appended);
  const deps = {
    // Only `append` of the store is used here.
    store: { append } as unknown as EventStore,
    storage,
    verification,
    newId: newUlid,
    onLeftover: (error: unknown) => leftovers.push(error),
  };
  const upload = { organisationId: newOrganisationId(), fileName: 'a.txt', staged };
  const outcome = await storeBlob(deps, upload, plan).catch((error: unknown) => error);
  await t.rejects(access(staged.path), 'nothing stays staged');
  return { outcome, effects, leftovers, kept: (await listedKeys(real)).length };
}

test('checks refusals, then the bytes, then stores them, then appends the event', async (t) => {
  t.strictSame(await keep(t), {
    outcome: stored,
    effects: ['foresee', 'verify', 'put', 'append'],
    leftovers: [],
    kept: 1,
  });
});

test('does not store a refused upload or known bytes', async (t) => {
  const refusal = new Refusal('INVALID_WORKSPACE', 'x');
  const foresee = () => Promise.reject(refusal);
  t.strictSame(await keep(t, { plan: { foresee } }), {
    outcome: refusal,
    effects: ['foresee'],
    leftovers: [],
    kept: 0,
  });
  t.strictSame(await keep(t, { plan: { foresee: async () => known } }), {
    outcome: known,
    effects: ['foresee', 'verify'],
    leftovers: [],
    kept: 0,
  });
});

test('does not store bytes that contradict the name or cannot be verified', async (t) => {
  const mismatch = async () => ({ status: 'mismatch', expected: 'pdf', found: null }) as const;
  t.match(await keep(t, { verify: mismatch }), {
    outcome: { code: 'FILE_BYTES_NOT_VERIFIED', message: /\.pdf/ },
    effects: ['foresee', 'verify'],
    kept: 0,
  });
  const gone = new VerificationUnavailable('no thread');
  t.match(await keep(t, { verify: () => Promise.reject(gone) }), {
    outcome: { code: 'FILE_VERIFICATION_UNAVAILABLE' },
    effects: ['foresee', 'verify'],
    kept: 0,
  });
});

test('a failed put, with or without effect, appends no event and leaves no blob', async (t) => {
  const away = new StorageUnavailable('away');
  const before = () => ({ put: () => Promise.reject(away) });
  const after = (real: BlobStorage) => ({
    async put(...args: Parameters<BlobStorage['put']>) {
      await real.put(...args);
      throw away;
    },
  });
  const effects = ['foresee', 'verify', 'put', 'delete'];
  t.match(await keep(t, { storage: before }), { outcome: away, effects, kept: 0 });
  t.match(await keep(t, { storage: after }), { outcome: away, effects, kept: 0 });
});

test('deletes a blob that no event can name, and keeps it if the outcome is unknown', async (t) => {
  const effects = ['foresee', 'verify', 'put', 'append', 'delete'];
  for (const error of [new Refusal('ENTITLEMENT_EXCEEDED', 'x'), new BlobTooOld(newBlobKey())]) {
    const append = () => Promise.reject(error);
    t.match(await keep(t, { plan: { append } }), { outcome: error, effects, kept: 0 });
  }
  t.match(await keep(t, { plan: { append: async () => known } }), {
    outcome: known,
    effects,
    kept: 0,
  });
  for (const error of [new StoreUnavailable(), new Error('a bug')]) {
    const dropped = { outcome: error, effects, kept: 0 };
    const left = { outcome: error, effects: effects.slice(0, -1), kept: 1 };
    const fail = () => Promise.reject(error);
    t.match(await keep(t, { plan: { append: fail } }), dropped, 'failed before the append');
    const appendOnce: UploadPlan['append'] = async (_, store) => {
      await store.append([], {});
      return stored;
    };
    t.match(await keep(t, { plan: { append: appendOnce }, store: fail }), left);
    const appendAndFail: UploadPlan['append'] = async (_, store) => {
      await store.append([], {});
      throw error;
    };
    t.match(await keep(t, { plan: { append: appendAndFail } }), left, 'failed after the append');
    const conflict = () => Promise.reject(new VersionConflict([]));
    const retry: UploadPlan['append'] = async (_, store) => {
      await store.append([], {}).catch(() => {});
      throw error;
    };
    t.match(
      await keep(t, { plan: { append: retry }, store: conflict }),
      dropped,
      'failed after a conflict',
    );
  }
});

test('reports a blob that cannot be deleted, and answers as before', async (t) => {
  const away = new StorageUnavailable('away');
  const storage = () => ({ delete: () => Promise.reject(away) });
  t.match(await keep(t, { storage, plan: { append: async () => known } }), {
    outcome: known,
    leftovers: [away],
    kept: 1,
  });
});

test('keeps the blob while an append that timed out may still take effect', async (t) => {
  const silent = new StoreSilent(30_000);
  const append = () => Promise.reject(silent);
  t.strictSame(await keep(t, { plan: { append } }), {
    outcome: silent,
    effects: ['foresee', 'verify', 'put', 'append'],
    leftovers: [],
    kept: 1,
  });
});
