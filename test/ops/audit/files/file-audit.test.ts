import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Test, test } from 'tap';
import { auditFiles } from '../../../../ops/audit/files/file-audit.ts';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import { storeDocument } from '../../../../src/commands/store-document.ts';
import type { Anchored } from '../../../../src/domain/proof/events.ts';
import { streams } from '../../../../src/domain/streams.ts';
import type { ProofId } from '../../../../src/domain/ulid.ts';
import { EncryptedStorage } from '../../../../src/storage/encrypted-storage.ts';
import { FileStorage } from '../../../../src/storage/file-storage.ts';
import type { ObjectStorage } from '../../../../src/storage/object-storage.ts';
import { parseS3Url } from '../../../../src/storage/s3-location.ts';
import { S3Storage } from '../../../../src/storage/s3-storage.ts';
import { StorageUnavailable } from '../../../../src/storage/storage-unavailable.ts';
import { attaching, packedStreamOf } from '../../../support/attached-pdf.ts';
import { newBlobKey, newFolder, putRandom } from '../../../support/blobs.ts';
import { createTestStore } from '../../../support/event-store.ts';
import { s3Bucket, startS3Server } from '../../../support/s3-server.ts';
import { sampleBundle, sampleText } from '../../../support/sample-bundle.ts';
import { createUploadSite, uploadMeta } from '../../../support/uploads.ts';

/** An organisation with four stored documents, of which the second is stored in clear. */
async function newSite(t: Test, bucket?: ObjectStorage) {
  const { store, pool, keyring } = await createTestStore(t);
  const site = await createUploadSite(store);
  const folder = await newFolder(t);
  const storage = new EncryptedStorage(bucket ?? (await FileStorage.open(folder)), keyring);
  const paths: string[] = [];
  const upload = async () => {
    const file = await putRandom(storage, 70_000, newBlobKey(site.organisationId));
    const { key, sha256, sizeBytes } = file;
    const order = site.order({ blobKey: key, fileHash: sha256, fileSizeBytes: sizeBytes });
    await storeDocument(site.deps, order, uploadMeta);
    paths.push(join(folder, `${key}.enc`));
    return file;
  };
  const audit = async (of: Partial<Parameters<typeof auditFiles>[0]> = {}) => {
    const findings = new Findings();
    const upTo = await store.head();
    const options = { database: pool, storage, keyring, findings, upTo, ...of };
    const files = await auditFiles(options);
    const { faults, unchecked } = findings.report();
    return { files, faults: faults.map(faultInWords), unchecked: unchecked.map(faultInWords) };
  };
  const { key } = await upload();
  const { bytes } = await upload();
  if (bucket !== undefined) return { ...site, store, paths, audit, storage, key };
  await rm(paths[1] ?? '');
  paths[1] = (paths[1] ?? '').replace('.enc', '');
  await writeFile(paths[1], bytes);
  await upload();
  await upload();
  return { ...site, store, paths, audit, storage, key };
}

test('all stored files are read, encrypted ones and plain ones', async (t) => {
  const { audit } = await newSite(t);
  t.strictSame(await audit(), {
    files: { read: 4, bytes: 280_000, certificates: 0, erased: 0 },
    ...{ faults: [], unchecked: [] },
  });
});

test('files in a bucket are read', async (t) => {
  const server = await startS3Server(t);
  const location = parseS3Url(`s3://${s3Bucket}/audited?endpoint=${server.endpoint}`);
  const stagingFolder = join(await newFolder(t), 'staging');
  const { audit, storage, key } = await newSite(
    t,
    await S3Storage.open(location, { stagingFolder }),
  );
  t.teardown(() => storage.close());
  t.match(await audit(), { files: { read: 2, bytes: 140_000 }, faults: [], unchecked: [] });
  await storage.delete(key);
  t.match(await audit(), {
    files: { read: 1 },
    faults: [/^files position \d+ \(data\): .* Restore the file from a backup of the storage$/],
  });
});

test('a changed, exchanged, cut or missing file is one fault', async (t) => {
  const { audit, paths } = await newSite(t);
  const [first = '', second = '', third = '', fourth = ''] = paths;
  const flip = async (path: string) => {
    const bytes = await readFile(path);
    bytes[60_000] = (bytes[60_000] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };
  await flip(first);
  await flip(second);
  const { files, faults } = await audit();
  t.equal(files.read, 2);
  t.equal(faults.length, 2, faults.join('\n'));
  for (const fault of faults) t.match(fault, /^files position \d+ \(data\): .* Restore the file/);
  await writeFile(third, await readFile(fourth));
  await rm(fourth);
  t.equal((await audit()).faults.length, 4);
});

test('a file that was stored for another proven hash is a fault', async (t) => {
  const { audit, storage, organisationId, deps, order } = await newSite(t);
  const { key, sha256, sizeBytes } = await putRandom(storage, 10, newBlobKey(organisationId));
  const wrong = order({ blobKey: key, fileHash: sha256, fileSizeBytes: sizeBytes + 1 });
  await storeDocument(deps, wrong, uploadMeta);
  t.match((await audit()).faults, [/the size|bytes, not/]);
});

test('a storage or keys that are out of reach leave files unchecked', async (t) => {
  const { audit } = await newSite(t);
  const failing = {
    open: async () => {
      throw new StorageUnavailable(`the bucket is away ${randomBytes(1).toString('hex')}`);
    },
  };
  const { files, faults, unchecked } = await audit({ storage: failing });
  t.match({ files, faults }, { files: { read: 0 }, faults: [] });
  t.match(unchecked.join('\n'), /the file of this event \(DocumentStored\): the bucket is away/);
  const closed = await audit({ keyring: { find: async () => null } });
  t.match(closed, { faults: [], unchecked: [/4 files: no key decrypts/] });
});

test('files of an erased organisation that are still stored are faults', async (t) => {
  const { audit, store, storage, organisationId } = await newSite(t);
  const stream = streams.organisation(organisationId);
  const expectedVersion = await store.versionOf(stream);
  const events = [{ type: 'OrganisationErased', data: { organisationId } }] as const;
  await store.append([{ organisationId, stream, expectedVersion, events }], uploadMeta);
  const keyring = { find: async () => null };
  const stored = await audit({ keyring });
  t.match(stored.files, { read: 0, erased: 4 });
  t.equal(stored.faults.length, 4);
  t.match(stored.faults[0], /is still stored, although its organisation is erased/);
  await storage.deleteAll(organisationId);
  const deleted = await audit({ keyring });
  t.match(deleted, { files: { read: 0, erased: 4 }, faults: [], unchecked: [] });
});

test('a certificate whose stored bytes carry another bundle is a fault', async (t) => {
  const { audit, store, storage, organisationId } = await newSite(t);
  const [bundle, other] = [sampleText(), sampleText({ unlogged: true })];
  const stream = streams.proof(sampleBundle().certificate.proofId as ProofId);
  const { transactionHash } = sampleBundle().anchor;
  let version = 0;
  const append = async (event: unknown) => {
    // Only the fields that the audit reads are there.
    const entry = { organisationId, stream, expectedVersion: version, events: [event as Anchored] };
    await store.append([entry], uploadMeta);
    version += 1;
  };
  await append({ type: 'Anchored', data: { transactionHash } });
  const digestOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
  /** Issues a certificate with this bundle, and stores this PDF. */
  const issue = async (issued: string, pdf: Buffer, stored = pdf) => {
    const key = newBlobKey(organisationId);
    await storage.put(key, await storage.stage(organisationId, Readable.from([stored])));
    const digests = { pdfDigest: digestOf(pdf), bundleDigest: digestOf(issued) };
    const data = { blobKey: key, sizeBytes: pdf.length, ...digests };
    await append({ type: 'CertificateIssued', data });
    return (await audit()).faults;
  };
  const pdfOf = (text: string) => attaching(packedStreamOf(Buffer.from(text)));
  t.strictSame(await issue(bundle, pdfOf(bundle)), []);
  t.match((await audit()).files, { read: 5, certificates: 1 });
  const exchanged = await issue(bundle, pdfOf(bundle), pdfOf(other));
  t.match(exchanged, [/^files position \d+ \(data\): .*Restore the file from a backup/]);
  const forged = await issue(bundle, pdfOf(other));
  t.match(forged.join('\n'), /the bundle in the certificate is not the one that was issued$/m);
  t.match((await audit()).files, { certificates: 1 });
  const later = bundle.replace(/"closeTime": \d+/, '"closeTime": 848600000');
  t.match((await issue(later, pdfOf(later))).join('\n'), /the certificate proves nothing: /);
  await append({ type: 'Anchored', data: { transactionHash: 'A1'.repeat(32) } });
  const renamed = await issue(bundle, pdfOf(bundle));
  t.match(renamed.join('\n'), /names another transaction than the event that anchors the proof$/m);
});
