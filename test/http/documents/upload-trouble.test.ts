import pg from 'pg';
import { test } from 'tap';
import { ByteVerifier } from '../../../src/byte-verification/byte-verifier.ts';
import { MasterKeyMismatch } from '../../../src/event-store/keyring.ts';
import type { DataKeys } from '../../../src/storage/encrypted-storage.ts';
import { FileStorage } from '../../../src/storage/file-storage.ts';
import { StorageUnavailable } from '../../../src/storage/storage-unavailable.ts';
import { encrypted, newFolder, openFileStorage } from '../../support/blobs.ts';
import { joinDocumentService, startDocumentService } from '../../support/document-service.ts';
import { someText } from '../../support/forms.ts';

test('while bytes cannot be verified: 503 FILE_VERIFICATION_UNAVAILABLE, nothing is stored', async (t) => {
  const thread = new URL('../../support/troubled-detection-thread.ts', import.meta.url);
  const verification = new ByteVerifier({
    thread,
    limits: { startMs: 10_000, fileMs: 300, answerMs: 300 },
  });
  const real = await openFileStorage(await newFolder(t));
  // The replacement for the thread acts as its path says.
  const verify = verification.verify.bind(verification);
  let path = 'hang';
  verification.verify = (file, ...of) => verify({ ...file, path }, ...of);
  const { upload, types, service } = await startDocumentService(t, {
    services: { files: { verification, storage: real } },
  });
  const before = await types();
  for (const trouble of ['hang', 'exit', 'throw', 'silent']) {
    path = trouble;
    const answer = await upload({ name: 'a.pdf' });
    t.match(answer, { status: 503, body: { code: 'FILE_VERIFICATION_UNAVAILABLE' } }, trouble);
    t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
  }
  t.strictSame(await types(), before);
  t.equal((await upload({ name: 'a.txt' })).status, 201, 'files without a check still succeed');
  t.match(service.log.join('\n'), /"level":40,.*the detecting thread/);
});

test('while files cannot be received or stored: 503, nothing is appended, and a retry is possible', async (t) => {
  const storage = await openFileStorage(await newFolder(t));
  const { stage, put } = storage;
  const { upload, types } = await startDocumentService(t, { services: { files: { storage } } });
  const before = await types();
  const bytes = someText();
  const fail = async () => {
    throw new StorageUnavailable('disk full at /my-secret');
  };
  const faults: (() => void)[] = [
    () => {
      storage.stage = async (_, source) => {
        source.resume();
        return fail();
      };
    },
    () => {
      storage.stage = stage;
      storage.put = fail;
    },
    () => {
      storage.put = async (...args) => {
        await put.apply(storage, args);
        await fail();
      };
    },
  ];
  for (const harm of faults) {
    harm();
    const answer = await upload({ bytes });
    t.match(answer, { status: 503, body: { success: false, code: 'SERVICE_UNAVAILABLE' } });
    t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
    t.notMatch(answer.text, /my-secret/);
  }
  t.strictSame(await types(), before);
  storage.put = put;
  t.equal((await upload({ bytes })).status, 201);
});

test('an upload whose file cannot be encrypted is a fault of ours, not an invalid form', async (t) => {
  const find: DataKeys['find'] = async (organisationId) => {
    throw new MasterKeyMismatch(organisationId);
  };
  const folder = await newFolder(t);
  const mismatched = encrypted(await FileStorage.open(folder), { find });
  const broken = await openFileStorage(folder);
  broken.stage = async (_, source) => {
    source.resume();
    throw new Error('broken at /my-secret');
  };
  for (const storage of [mismatched, broken]) {
    const { upload, types, service } = await joinDocumentService(t, {
      services: { files: { storage } },
    });
    const before = await types();
    for (const bytes of [someText(), Buffer.alloc(2_000_000, 'a')]) {
      const answer = await upload({ bytes });
      t.match(answer, { status: 500, body: { success: false, code: 'INTERNAL_ERROR' } });
      t.notMatch(answer.text, /my-secret|MASTER_KEY/);
    }
    t.match(service.log.join('\n'), /"level":50,.*(MASTER_KEY cannot decrypt|my-secret)/);
    t.strictSame(await types(), before);
  }
});

test('while a read model is built for a new release: uploads are 201, calls that read it 503', async (t) => {
  const { upload, get, service } = await startDocumentService(t);
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  const proofs: string[] = [];
  const changes = [
    'ALTER VIEW evidence_ledgers RENAME COLUMN attested_hash TO older_name',
    'ALTER VIEW evidence_ledgers RENAME TO older_view',
  ];
  for (const change of changes) {
    await client.query(change);
    const stored = await upload({ bytes: someText() });
    t.match(stored, { status: 201, body: { data: { evidence: 'pending' } } }, change);
    proofs.push(stored.body.data.proofId);
    for (const proofId of proofs) {
      const answer = await get(`/proofs/${proofId}`);
      t.match(answer, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } }, change);
      t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
    }
  }
  t.match(service.log.join('\n'), /"level":40,.*the evidence of a stored upload could not be read/);
});
