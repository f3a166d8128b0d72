import { type Test, test } from 'tap';
import { ulid } from 'ulid';
import { documents } from '../../../projections/documents/project.ts';
import {
  countDocumentsOfRun,
  namedBlobs,
  queryDocument,
  queryDocumentsOfRun,
  queryVersions,
} from '../../../projections/documents/query.ts';
import {
  type DocumentsQuery,
  queryDocuments,
} from '../../../projections/documents/query-documents.ts';
import { evidence } from '../../../projections/evidence/project.ts';
import { blobKey } from '../../../src/domain/blob/blob-key.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { DocumentId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { catchUp } from '../../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import {
  type ArchivedProof,
  archiveLedger,
  createArchive,
  digestOf,
} from '../../support/archive.ts';
import { createTestStore } from '../../support/event-store.ts';

async function start(t: Test) {
  const { db, store, pool } = await createTestStore(t);
  for (const each of [documents, evidence]) await prepareProjection(db, each);
  const archive = await createArchive(store);
  const { organisationId } = archive;
  const settle = async () =>
    catchUp({ db, store, projections: [documents], position: await store.head() });
  const list = async (query: Partial<DocumentsQuery> = {}) => {
    await settle();
    const whole = { organisationId, page: 1, limit: 20, ...query };
    const read = await queryDocuments(db, whole);
    const indexed = await queryDocuments(db, whole, { fewProofs: 0 });
    t.strictSame(indexed, read, 'search with and without the index finds the same');
    return read;
  };
  const ids = async (query?: Partial<DocumentsQuery>) =>
    (await list(query)).items.map(({ proofId }) => proofId);
  return { db, store, pool, archive, organisationId, settle, list, ids };
}

test('a hash-only proof is listed with its description, and follows its anchoring', async (t) => {
  const { archive, list } = await start(t);
  t.strictSame(await list(), { items: [], total: 0 });
  const proof = await archive.request({ fileName: 'Übung.PDF', description: 'of März' });
  const { items, total } = await list();
  t.equal(total, 1);
  const [item] = items;
  t.match(item?.requestedAt, /^\d{4}-\d\d-\d\dT.*Z$/);
  const base = {
    proofId: proof.proofId,
    workspaceId: archive.workspaceId,
    network: 'testnet',
    hashScheme: 'hmac-sha256-nonce-v3',
    commitment: 'c0'.repeat(32),
    requestedAt: item?.requestedAt,
    fileHash: proof.fileHash,
    fileName: 'Übung.PDF',
    fileSizeBytes: 12,
    mimeType: 'text/plain',
    description: 'of März',
    metadata: null,
    document: null,
  };
  const pending = {
    ...base,
    blockchainStatus: 'pending',
    ...{ transactionHash: null, ledgerId: null, ledgerIndex: null, closedAt: null },
    isAttested: false,
  };
  t.strictSame(item, pending);

  const first = await archive.prepare(proof);
  const { ledgerId, closedAt } = archiveLedger;
  const processing = {
    ...pending,
    blockchainStatus: 'processing',
    transactionHash: first,
    ledgerId,
  };
  t.strictSame((await list()).items, [processing]);
  await archive.expire(proof, first);
  t.strictSame((await list()).items, [pending]);
  const second = await archive.prepare(proof);
  await archive.anchor(proof, second);
  const completed = { blockchainStatus: 'completed', transactionHash: second, ledgerIndex: 101 };
  t.strictSame((await list()).items, [{ ...processing, ...completed, closedAt }]);
  t.notMatch(JSON.stringify(await list()), /nonce"|secret nonce/);
});

test('a proof is attested by its own ledger, whatever other ledgers of its index proofs are in', async (t) => {
  const { db, store, archive, list } = await start(t);
  const { ledgerId } = archiveLedger;
  const [honest, forged] = [digestOf('honest').toUpperCase(), digestOf('forged').toUpperCase()];
  const anchor = async (fileName: string, ledgerHash: string) => {
    const proof = await archive.upload({ fileName });
    const ledger = { ledgerIndex: 500, ledgerHash };
    await archive.anchor(proof, await archive.prepare(proof), ledger);
  };
  const shown = async (query?: Partial<DocumentsQuery>) => {
    await catchUp({ db, store, projections: [evidence], position: await store.head() });
    const { items } = await list(query);
    return Object.fromEntries(items.map(({ fileName, isAttested }) => [fileName, isAttested]));
  };
  await anchor('a forged one', forged);
  await anchor('b honest', honest);
  const data = {
    ...{ ledgerId, ledgerIndex: 500, ledgerHash: honest, ledgerHeader: '', leaves: '' },
    ...{ validations: [], manifests: [], validatorLists: [] },
  };
  const stream = streams.attestation(ledgerId, 500);
  const event = { type: 'LedgerAttested', data } as const;
  await store.append([{ organisationId: null, stream, expectedVersion: 0, events: [event] }], {});
  t.strictSame(await shown(), { 'a forged one': false, 'b honest': true });
  await anchor('c forged too', forged);
  await anchor('d honest too', honest);
  const expected = { 'a forged one': false, 'b honest': true };
  t.strictSame(await shown(), { ...expected, 'c forged too': false, 'd honest too': true });
  t.strictSame(await shown({ search: 'honest' }), { 'b honest': true, 'd honest too': true });
});

test('an upload is listed with its document, and linked to the existing proof of its bytes', async (t) => {
  const { archive, list } = await start(t);
  const classification = { runId: 'run 1', kind: 'invoice', by: { model: ['m', 1, null] } };
  const upload = await archive.upload({ fileName: 'a.pdf', description: 'A', classification });
  const alone = await archive.request({ fileName: 'typed.txt', description: 'typed' });
  const between = await archive.request();
  await archive.complete(alone);
  t.match((await list()).items, [{}, { fileName: 'typed.txt', document: null }, {}]);
  const linked = await archive.upload({ of: alone, fileName: 'real.pdf' });
  const { items, total } = await list();
  t.equal(total, 3, 'no additional row');
  t.strictSame(
    items.map(({ proofId }) => proofId),
    [between.proofId, alone.proofId, upload.proofId],
    'keeps its place',
  );
  t.match(items[1], {
    ...{ blockchainStatus: 'completed', fileHash: alone.fileHash, fileName: 'real.pdf' },
    ...{ description: null, mimeType: 'application/pdf', fileSizeBytes: 34 },
    document: { documentId: linked.documentId, revision: 1, classification: null },
  });
  t.strictSame(items[2]?.document, {
    documentId: upload.documentId,
    rootDocumentId: upload.documentId,
    revision: 1,
    previousDocumentId: null,
    previousTransactionHash: null,
    classification,
    uploadedAt: items[2]?.document?.uploadedAt,
    blobKey: upload.blobKey,
  });
  t.match(await list({ search: 'REAL' }), { total: 1 });
  t.match(await list({ search: 'typed' }), { total: 0 });
});

test('each revision is a row with its own proof, chained to the previous one', async (t) => {
  const { archive, list, db, organisationId, settle } = await start(t);
  const first = await archive.upload({ fileName: '1.pdf' });
  const second = await archive.revise(first, { fileName: '2.pdf' });
  const third = await archive.revise(second, { fileName: '3.pdf' });
  const chain = async () => {
    await settle();
    const versions = await queryVersions(db, organisationId, first.documentId as DocumentId);
    return versions.map(({ fileName, document }) => [
      fileName,
      document?.revision,
      document?.rootDocumentId === first.documentId,
      document?.previousDocumentId ?? null,
      document?.previousTransactionHash ?? null,
    ]);
  };
  t.strictSame(await chain(), [
    ['1.pdf', 1, true, null, null],
    ['2.pdf', 2, true, first.documentId, null],
    ['3.pdf', 3, true, second.documentId, null],
  ]);
  const hash = await archive.complete(first);
  t.match(await chain(), [{}, { 4: hash }, { 4: null }], 'known before it is named');
  const lost = await archive.prepare(second, hash);
  t.match(await chain(), [{}, { 4: hash }, { 4: null }], 'not before it is anchored');
  await archive.expire(second, lost);
  await archive.refuse(second);
  t.strictSame(
    await chain(),
    [
      ['1.pdf', 1, true, null, null],
      ['3.pdf', 3, true, first.documentId, hash],
    ],
    'skips a revision that was given up',
  );
  await archive.complete(third, hash);
  t.match(await chain(), [{}, { 4: hash }]);
  t.equal((await list()).total, 2);
  const found = await queryDocument(db, organisationId, third.documentId as DocumentId);
  t.strictSame(found, (await list()).items[0]);
  t.equal(await queryDocument(db, organisationId, second.documentId as DocumentId), null);
  t.equal(await queryDocument(db, organisationId, ulid() as DocumentId), null);
});

test('withdrawn and refused proofs leave lists and totals, and a hash posted again is new', async (t) => {
  const { archive, ids, list, pool } = await start(t);
  const fileHash = digestOf('again');
  const kept = await archive.request();
  const withdrawn = await archive.request({ fileHash });
  const refused = await archive.upload();
  await list();
  await archive.withdraw(withdrawn);
  await archive.refuse(refused);
  t.strictSame(await ids(), [kept.proofId]);
  t.equal((await list()).total, 1);
  const again = await archive.request({ fileHash });
  const passing = await archive.request();
  await archive.withdraw(passing);
  t.strictSame(await ids(), [again.proofId, kept.proofId]);
  t.strictSame(await ids({ search: fileHash }), [again.proofId]);
  const { rows } = await pool.query('SELECT count(*) FROM document_details');
  t.match(rows, [{ count: 2 }]);
});

test('filters combine, and totals count the filtered rows', async (t) => {
  const { archive, ids, list } = await start(t);
  const other = ulid() as WorkspaceId;
  const a = await archive.request({ fileName: 'red one' });
  const b = await archive.request({ fileName: 'red two', workspaceId: other });
  const c = await archive.upload({ fileName: 'blue', description: 'RED', workspaceId: other });
  const d = await archive.request({ fileName: 'green', workspaceId: other });
  for (const proof of [a, b]) await archive.complete(proof);
  await archive.prepare(c);
  t.strictSame(await ids({ workspaceId: other }), [d.proofId, c.proofId, b.proofId]);
  t.strictSame(await ids({ blockchainStatus: 'completed' }), [b.proofId, a.proofId]);
  t.strictSame(await ids({ blockchainStatus: 'pending' }), [d.proofId]);
  t.strictSame(await ids({ search: 'red' }), [c.proofId, b.proofId, a.proofId]);
  t.strictSame(await ids({ search: 're', workspaceId: other }), [d.proofId, c.proofId, b.proofId]);
  t.strictSame(await ids({ search: 'red', workspaceId: other, blockchainStatus: 'processing' }), [
    c.proofId,
  ]);
  t.strictSame(await ids({ workspaceId: ulid() as WorkspaceId }), []);
  const page = await list({ search: 'red', workspaceId: other, limit: 1, page: 2 });
  t.match(page, { total: 2, items: [{ proofId: b.proofId }] });
  t.match(await list({ page: 3, limit: 2 }), { total: 4, items: [] });
  t.match(await list({ page: Number.MAX_SAFE_INTEGER, limit: 100 }), { total: 4, items: [] });
});

test('searches part of a name or description, or a whole hash, id or transaction', async (t) => {
  const { archive, ids } = await start(t);
  const other = ulid() as WorkspaceId;
  const proof = await archive.request({ fileName: 'Straße ΣΟΦΟΣ.pdf', description: 'x_y\u0001z' });
  const same = await archive.request({ fileHash: proof.fileHash, workspaceId: other });
  const hash = await archive.complete(proof);
  const finds = async (search: string) => (await ids({ search })).length;
  for (const search of ['STRASSE', 'straße', 'σοφος', 'ΣΟΦΟ', 'Σ', '.P', 'X_Y', 'y\u0001Z'])
    t.equal(await finds(search), 1, search);
  for (const search of ['strase', 'x%y', 'pdfx', 'x_y\\', 'proof', 'secret nonce'])
    t.equal(await finds(search), 0, search);
  const { fileHash, proofId } = proof;
  for (const search of [fileHash, fileHash.toUpperCase()])
    t.strictSame(await ids({ search }), [same.proofId, proofId], 'in both workspaces');
  t.strictSame(await ids({ search: fileHash, workspaceId: other }), [same.proofId]);
  for (const search of [hash, hash.toLowerCase(), proofId, proofId.toLowerCase()])
    t.strictSame(await ids({ search }), [proofId]);
  for (const search of [fileHash.slice(1), proofId.slice(1), hash.slice(0, 63), digestOf('other')])
    t.equal(await finds(search), 0);
  t.equal(await finds(''), 2, 'no search');
  const named = await archive.request({ fileName: `${fileHash}.txt` });
  t.strictSame(await ids({ search: fileHash }), [named.proofId, same.proofId, proofId]);
});

test('a name with any characters is found by them and returned unchanged', async (t) => {
  const { archive, list } = await start(t);
  const names = [
    ...['100%', '100x', 'a_b', 'a-b', 'a\\b', "o'hara", 'o"hara', 'a;--', '$1', '{1,2}'],
    ...[
      '日本語の契約書',
      '😀😁😂',
      '👩‍👩‍👧‍👦',
      'א ב ג',
      'a\tb\nc',
      '  ',
      '\u0001\u0002\u0003',
      '\ufeffbom',
    ],
    ...['é', 'NULL', '\\x00', "'); DROP TABLE documents_v1; --", '٣٤٥', 'İstanbul', 'Ǆ', 'ﬁle'],
    'ä'.repeat(255),
    '😀'.repeat(255),
    '%'.repeat(255),
  ];
  for (const fileName of names) await archive.request({ fileName });
  for (const fileName of names) {
    const found = await list({ search: fileName, limit: 100 });
    const found2 = await list({ search: fileName.toUpperCase(), limit: 100 });
    t.ok(
      found.items.some((item) => item.fileName === fileName),
      `${JSON.stringify(fileName.slice(0, 30))} is found`,
    );
    t.strictSame(found2, found, 'in upper case too');
  }
  t.equal((await list({ search: '%' })).total, 2);
  t.equal((await list({ search: '_' })).total, 2);
  t.equal((await list({ search: '\\' })).total, 2);
  t.equal((await list({ search: '語の契' })).total, 1);
  t.equal((await list({ search: '😁😂' })).total, 1);
  t.equal((await list({ search: 'e\u0301' })).total, 1, 'composed or not');
});

test("no query shows another organisation's data", async (t) => {
  const { archive, list, db, store, settle, ids } = await start(t);
  const other = await createArchive(store);
  const classification = { runId: 'shared' };
  const file = { fileName: 'same.pdf', fileHash: digestOf('same') };
  const mine = await archive.upload({ ...file, classification });
  const theirs = await other.upload({ ...file, classification });
  const hash = await other.complete(theirs);
  t.strictSame(await ids(), [mine.proofId]);
  t.strictSame(await ids({ search: 'same' }), [mine.proofId]);
  t.strictSame(await ids({ search: file.fileHash }), [mine.proofId]);
  for (const search of [hash, theirs.proofId]) t.strictSame(await ids({ search }), []);
  t.strictSame(await list({ workspaceId: theirs.workspaceId }), { items: [], total: 0 });
  await settle();
  const { organisationId } = archive;
  const documentId = theirs.documentId as DocumentId;
  t.equal(await queryDocument(db, organisationId, documentId), null);
  t.strictSame(await queryVersions(db, organisationId, documentId), []);
  const named = await queryDocumentsOfRun(db, organisationId, 'shared', { page: 1, limit: 9 });
  t.match(named, [{ proofId: mine.proofId }]);
  t.equal(named.length, 1);
  t.equal(await countDocumentsOfRun(db, organisationId, 'shared'), 1);
});

test('finds the documents of a run, newest first', async (t) => {
  const { archive, db, settle, organisationId } = await start(t);
  const uploads: ArchivedProof[] = [];
  for (const runId of ['r', 'r', 'R', '😀'.repeat(128)])
    uploads.push(await archive.upload({ classification: { runId } }));
  await archive.upload({ classification: { kind: 'none' } });
  await archive.upload();
  await settle();
  const found = async (runId: string, page = { page: 1, limit: 9 }) =>
    (await queryDocumentsOfRun(db, organisationId, runId, page)).map(({ proofId }) => proofId);
  t.strictSame(await found('r'), [uploads[1]?.proofId, uploads[0]?.proofId]);
  t.strictSame(await found('r', { page: 2, limit: 1 }), [uploads[0]?.proofId]);
  t.equal(await countDocumentsOfRun(db, organisationId, 'r'), 2);
  t.strictSame(await found('😀'.repeat(128)), [uploads[3]?.proofId]);
  t.strictSame(await found('none'), []);
  if (uploads[0]) await archive.revise(uploads[0], { classification: { runId: 'r' } });
  await settle();
  t.equal((await found('r')).length, 3, 'a revision is a document of the run too');
});

test('knows the blobs named by events, even of proofs that were given up', async (t) => {
  const { archive, db, settle, organisationId } = await start(t);
  const kept = await archive.upload();
  const passing = await archive.upload();
  await archive.refuse(passing);
  const late = await archive.upload();
  await settle();
  await archive.refuse(late);
  const revision = await archive.revise(kept);
  const linked = await archive.upload({ of: await archive.request() });
  await settle();
  const named = [kept, passing, late, revision, linked].flatMap(({ blobKey }) => blobKey ?? []);
  const orphan = blobKey(organisationId, ulid());
  t.equal(named.length, 5);
  t.strictSame(await namedBlobs(db, [orphan, ...named]), new Set(named));
  t.strictSame(await namedBlobs(db, []), new Set());
});

test('paging while new proofs arrive misses no existing one, and keeps the order', async (t) => {
  const { archive, list, ids } = await start(t);
  const made: ProofId[] = [];
  const request = async () => made.push((await archive.request()).proofId);
  for (let n = 0; n < 30; n += 1) await request();
  const seen: ProofId[] = [];
  for (let page = 1; ; page += 1) {
    const found = await ids({ page, limit: 7 });
    if (found.length === 0) break;
    seen.push(...found);
    for (let n = 0; n < 3; n += 1) await request();
  }
  t.strictSame(
    [...new Set(seen)],
    made.filter((proofId) => seen.includes(proofId)).reverse(),
    'newest first',
  );
  t.ok(made.slice(0, 30).every((proofId) => seen.includes(proofId)));
  t.equal((await list({ limit: 1 })).total, made.length);
});
