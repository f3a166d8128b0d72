import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { closeOrganisation } from '../../src/commands/close-organisation.ts';
import { endOrganisation } from '../../src/commands/end-organisation.ts';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { createOrganisationEnding } from '../../src/event-store/organisation-ending.ts';
import { EncryptedStorage } from '../../src/storage/encrypted-storage.ts';
import { FileStorage } from '../../src/storage/file-storage.ts';
import { newBlobKey, newFolder, putRandom } from '../support/blobs.ts';
import { createTestStore } from '../support/event-store.ts';
import { createUploadSite, uploadMeta } from '../support/uploads.ts';

test('a download under way breaks off when the keys of its organisation are destroyed', async (t) => {
  const { store, pool, masterKey } = await createTestStore(t);
  const [gone, kept] = [await createUploadSite(store), await createUploadSite(store)];
  const keyring = createKeyring(pool, masterKey, 0);
  const storage = new EncryptedStorage(await FileStorage.open(await newFolder(t)), keyring, 0);
  const begin = async ({ organisationId }: typeof gone) => {
    const { key, bytes, ...facts } = await putRandom(
      storage,
      3_000_000,
      newBlobKey(organisationId),
    );
    const reader = (await storage.open(key, facts))[Symbol.asyncIterator]();
    const { value } = await reader.next();
    const read = async () => {
      const chunks: Buffer[] = [value];
      for await (const chunk of { [Symbol.asyncIterator]: () => reader }) chunks.push(chunk);
      return Buffer.concat(chunks);
    };
    return { bytes, read };
  };
  const [lost, whole] = [await begin(gone), await begin(kept)];
  const ending = createOrganisationEnding(pool);
  await closeOrganisation({ store, ending }, gone.organisationId, uploadMeta);
  await endOrganisation({ store, ending }, gone.organisationId, uploadMeta);
  await t.rejects(lost.read(), { name: 'BlobUndecipherable' });
  t.ok((await whole.read()).equals(whole.bytes), 'another organisation is not affected');
});

test('a download pauses while the database is away, and breaks off if it stays away', async (t) => {
  const dataKey = { dataKeyId: '0'.repeat(26), dataKey: randomBytes(32) };
  let failures = 0;
  const find = async () => {
    if (failures === 0) return dataKey;
    failures -= 1;
    throw new StoreUnavailable();
  };
  const objects = await FileStorage.open(await newFolder(t));
  const { key, bytes, ...facts } = await putRandom(
    new EncryptedStorage(objects, { find }),
    3_000_000,
  );
  const read = async (patienceMs: number, outage: number) => {
    const storage = new EncryptedStorage(objects, { find }, 0, patienceMs);
    failures = 0;
    const stream = await storage.open(key, facts);
    failures = outage;
    return Buffer.concat(await stream.toArray());
  };
  t.ok((await read(60_000, 2)).equals(bytes), 'a failover of a second');
  const cause = { name: 'StoreUnavailable' };
  await t.rejects(read(0, Infinity), { name: 'StorageUnavailable', cause });
});

test('a download looks up its key only now and then', async (t) => {
  let looks = 0;
  const dataKey = { dataKeyId: '0'.repeat(26), dataKey: randomBytes(32) };
  const find = async () => {
    looks += 1;
    return dataKey;
  };
  const storage = new EncryptedStorage(
    await FileStorage.open(await newFolder(t)),
    { find },
    60_000,
  );
  const { key, bytes, ...facts } = await putRandom(storage, 3_000_000);
  looks = 0;
  const chunks = await (await storage.open(key, facts)).toArray();
  t.ok(Buffer.concat(chunks).equals(bytes));
  t.equal(looks, 1);
});
