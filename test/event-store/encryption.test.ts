import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { chainRevision } from '../../src/commands/chain-revision.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { recordRun } from '../../src/commands/record-run.ts';
import { requestProof } from '../../src/commands/request-proof.ts';
import { storeDocument } from '../../src/commands/store-document.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { hashSchemes } from '../../src/domain/proof/hash-scheme.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { decodeEvent, UnreadableEvent } from '../../src/event-store/decode.ts';
import { createKeyring, MasterKeyMismatch } from '../../src/event-store/keyring.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import {
  createTestStore,
  openTestStore,
  type TestStore,
  testDeps,
} from '../support/event-store.ts';
import { report } from '../support/runs.ts';
import { uploadDeps, uploadTo } from '../support/uploads.ts';

const meta = { actor: 'operator' } as const;

async function openOne(test: TestStore, name: string): Promise<OrganisationId> {
  return openOrganisation({ ...testDeps, store: test.store }, { name, plan: 'professional' }, meta);
}

const rowsOf = async ({ pool }: TestStore) =>
  (await pool.query<EventRow>('SELECT * FROM events ORDER BY position')).rows;

test('the log contains no confidential value', async (t) => {
  const db = await createTestStore(t);
  const { store } = db;
  const deps = { ...testDeps, store };
  const confidential = (what: string) => `confidential-${what}-ä€`;
  const organisationId = await openOne(db, confidential('organisation'));
  const order = { organisationId, name: confidential('workspace') };
  const workspaceId = await createWorkspace(deps, order, meta);
  const { key } = await issueKey(
    deps,
    {
      ...{ organisationId, name: confidential('key'), scopes: ['documents:read'], agent: false },
      ...{ expiresAt: null, requestsPerMinute: null, requestsPerDay: null, issuedBy: null },
    },
    meta,
  );
  const digests: string[] = [];
  const nonces: string[] = [];
  for (const hashScheme of hashSchemes) {
    const fileHash = randomBytes(32).toString('hex') as Digest;
    digests.push(fileHash);
    const { proofId } = await requestProof(
      deps,
      {
        ...{ organisationId, workspaceId, network: 'testnet', hashScheme, fileHash },
        ...{
          fileName: confidential('file'),
          mimeType: confidential('mime'),
          description: confidential('description'),
        },
        ...{ fileSizeBytes: 123_456_789, respondAsync: false },
      },
      meta,
    );
    const [requested] = await store.readStream(streams.proof(proofId));
    if (requested?.type !== 'ProofRequested') throw new Error('it was requested');
    if (requested.data.nonce !== null) nonces.push(requested.data.nonce);
    const plain = hashScheme === 'sha256-plain-v1';
    const blob = (plain ? `12${fileHash}34` : '1234').toUpperCase();
    const prepared = {
      ...{ ledgerId: '1', transactionHash: 'AA', blob, hashScheme, account: 'r', sequence: 1 },
      ...{ feeDrops: 10, minLedger: 1, lastLedgerSequence: 9, replaces: null },
      ...{ previousTransactionHash: null },
    };
    const stream = streams.proof(proofId);
    const events = [{ type: 'AnchorPrepared', data: prepared } as const];
    await store.append([{ organisationId, stream, expectedVersion: 1, events }], meta);
    t.match(await store.readStream(stream), [
      { data: { fileHash, fileName: confidential('file') } },
      { data: prepared },
    ]);
  }
  t.equal(nonces.length, 2);
  const uploads = uploadDeps(store);
  for (const name of ['first', 'revision']) {
    const upload = {
      ...uploadTo(organisationId, workspaceId),
      ...{
        fileName: confidential(name),
        mimeType: confidential('mime'),
        description: confidential('description'),
      },
      classification: {
        runId: confidential('run'),
        [confidential('member')]: [confidential('value')],
      },
    };
    digests.push(upload.fileHash);
    const [stored] = await store.readLog(0, 1, ['DocumentStored']);
    if (stored?.type !== 'DocumentStored') await storeDocument(uploads, upload, meta);
    else {
      const { documentId: rootDocumentId } = stored.data;
      await chainRevision(uploads, { ...upload, rootDocumentId }, meta);
    }
  }
  const kept = await store.readLog(0, 9, ['DocumentStored', 'RevisionChained']);
  t.match(kept, [
    { data: { fileName: confidential('first') } },
    { data: { fileName: confidential('revision') } },
  ]);

  const run = report(confidential('run'), {
    ...{
      workspaceId,
      mode: 'unattended',
      objective: confidential('objective'),
      trigger: confidential('trigger'),
    },
    ...{ startedAt: '2021-12-24T00:00:00Z', finishedAt: '2021-12-25T00:00:00Z' },
    ...{
      counts: { [confidential('count')]: 1 },
      coverage: { [confidential('part')]: confidential('cover') },
    },
    ...{
      connectorsReached: [confidential('reached')],
      connectorsUnreachable: [confidential('away')],
    },
    ...{ unreadableGroups: [confidential('group')], network: confidential('network') },
    decisions: [
      {
        subject: confidential('subject'),
        action: confidential('action'),
        fileHash: digests[0] as Digest,
      },
    ],
  });
  const { run: recorded } = await recordRun(deps, organisationId, run, meta);
  digests.push(recorded.reportHash);
  t.match(await store.readLog(0, 9, ['RunRecorded']), [{ data: run }]);

  const dump = JSON.stringify(await rowsOf(db)).toLowerCase();
  t.notMatch(dump, '2021-12', 'times written by an agent');
  t.match(dump, '123456789', 'sizes are clear');
  for (const value of [...digests, ...nonces, key, 'confidential', 'hunter']) {
    const forms = [
      value,
      Buffer.from(value).toString('hex'),
      Buffer.from(value).toString('base64').slice(0, -4),
      Buffer.from(value, 'hex').toString('base64'),
    ].filter((form) => form.length >= 6);
    for (const form of forms) t.notOk(dump.includes(form.toLowerCase()), `${form} in the log`);
  }
});

test('an encrypted object opens only in its own event and organisation', async (t) => {
  const db = await createTestStore(t);
  await openOne(db, 'first');
  await openOne(db, 'second');
  const [first, second] = await rowsOf(db);
  if (!first || !second) throw new Error('two events were appended');
  const { sealed } = JSON.parse(second.data);
  const swapped = { ...first, data: JSON.stringify({ ...JSON.parse(first.data), sealed }) };
  await t.rejects(decodeEvent(swapped, db.keyring), UnreadableEvent);
  const moved = { ...first, event_id: second.event_id };
  await t.rejects(decodeEvent(moved, db.keyring), UnreadableEvent, 'bound to the event');
  const stolen = { ...first, organisation_id: second.organisation_id };
  await t.rejects(decodeEvent(stolen, db.keyring), UnreadableEvent, 'bound to the organisation');
  const orphan = { ...first, organisation_id: null };
  await t.rejects(decodeEvent(orphan, db.keyring), UnreadableEvent);
  const own = JSON.parse(first.data);
  const ct = Buffer.from(own.sealed.ct, 'base64');
  ct[3] = (ct[3] ?? 0) ^ 1;
  const bent = { ...own, sealed: { ...own.sealed, ct: ct.toString('base64') } };
  await t.rejects(
    decodeEvent({ ...first, data: JSON.stringify(bent) }, db.keyring),
    UnreadableEvent,
  );
  t.match(await decodeEvent(first, db.keyring), { data: { name: 'first' } });
});

test('a wrong master key is reported at once, and reads and creates nothing', async (t) => {
  const db = await createTestStore(t);
  await createKeyring(db.pool, randomBytes(32)).check();
  const organisationId = await openOne(db, 'first');
  const other = openTestStore(t, db.url, { masterKey: randomBytes(32) });
  await t.rejects(other.keyring.check(), MasterKeyMismatch);
  await t.rejects(other.store.readStream(streams.organisation(organisationId)), MasterKeyMismatch);
  await t.rejects(other.store.index(organisationId, 'x'), { message: /MASTER_KEY cannot decrypt/ });
  await db.keyring.check();
  await openTestStore(t, db.url).keyring.check();
});

test('after the keys are destroyed only the clear fields are left', async (t) => {
  const db = await createTestStore(t);
  const organisationId = await openOne(db, 'to be forgotten');
  await openOne(db, 'to be kept');
  t.match(await db.store.index(organisationId, 'x'), /^[0-9a-f]{64}$/);
  const run = report('a run', { objective: 'secret' });
  await recordRun({ ...testDeps, store: db.store }, organisationId, run, meta);
  await db.pool.query('DELETE FROM data_keys WHERE organisation_id = $1', [organisationId]);
  const { store } = openTestStore(t, db.url);
  const [erased, kept, erasedRun] = await store.readLog(0, 10);
  // Read models of runs are built from all of them.
  t.match(erasedRun, { type: 'RunRecorded', erased: true, data: { organisationId } });
  t.notOk(erasedRun && 'objective' in erasedRun.data);
  t.match(erased, { erased: true, data: { organisationId, plan: 'professional' } });
  t.notOk(erased && 'name' in erased.data);
  t.match(kept, { data: { name: 'to be kept' } });
  t.notOk(kept && 'erased' in kept);
  t.equal(await store.index(organisationId, 'x'), null);
  const events = [{ type: 'PlanChanged', data: { plan: 'free' } } as const];
  const stream = streams.organisation(organisationId);
  await store.append([{ organisationId, stream, expectedVersion: 1, events }], meta);
  t.match(await store.readStream(stream), [{ erased: true }, { data: { plan: 'free' } }]);
});

test('index names differ between organisations and are stable', async (t) => {
  const db = await createTestStore(t);
  const [first, second] = [await openOne(db, 'a'), await openOne(db, 'b')];
  const again = openTestStore(t, db.url).store;
  t.equal(await db.store.index(first, 'digest'), await again.index(first, 'digest'));
  t.not(await db.store.index(first, 'digest'), await db.store.index(second, 'digest'));
});

test('concurrent creation of keys creates them once', async (t) => {
  const db = await createTestStore(t);
  const organisationId = testDeps.newId();
  const keyrings = [1, 2, 3].map(() => createKeyring(db.pool, db.masterKey));
  await Promise.all(keyrings.map((keyring) => keyring.create(organisationId)));
  const found = await Promise.all(keyrings.map((keyring) => keyring.find(organisationId)));
  t.ok(found[0]);
  t.same(found[1], found[0]);
  t.same(found[2], found[0]);
});
