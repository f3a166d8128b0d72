import { test } from 'tap';
import { ulid } from 'ulid';
import { giveUpProof } from '../../../src/commands/give-up-proof.ts';
import { maxRevisions } from '../../../src/domain/document/decider.ts';
import { streams } from '../../../src/domain/streams.ts';
import { documentVersions } from '../../../src/views/document-schema.ts';
import { joinDocumentService, startDocumentService } from '../../support/document-service.ts';
import { sha256, someText } from '../../support/forms.ts';
import { operator } from '../../support/http-service.ts';

test('a revision has its own proof, chained to the previous one', async (t) => {
  const { upload, revise, get, files } = await joinDocumentService();
  const first = (await upload({ name: 'one.txt' }, { description: 'of the first' })).body.data;
  const bytes = someText();
  const { status, body } = await revise(first.documentId, { name: 'two.txt', bytes });
  t.equal(status, 201);
  const second = body.data;
  t.match(second, {
    fileName: 'two.txt',
    fileHash: sha256(bytes),
    workspace: first.workspace,
    revision: 2,
    rootDocumentId: first.documentId,
    previousDocumentId: first.documentId,
    previousTxHash: first.txHash,
    proofNonce: /^[0-9a-f]{64}$/,
    blockchainStatus: 'completed',
  });
  t.not(second.proofId, first.proofId);
  t.not(second.txHash, first.txHash);

  const third = (await revise(first.documentId)).body.data;
  t.match(
    third,
    { revision: 3, previousDocumentId: second.documentId },
    'the root id names the chain',
  );
  const fourth = (await revise(second.documentId)).body.data;
  t.match(
    fourth,
    { revision: 4, previousDocumentId: third.documentId },
    'any id of the chain names it as well',
  );
  t.equal(fourth.previousTxHash, third.txHash);

  const chain = [first, second, third, fourth].map((data) => ({ ...data, proofNonce: null }));
  for (const { documentId } of chain) {
    const versions = await get(`/documents/${documentId}/versions`);
    t.strictSame(documentVersions.strict().parse(versions.body), versions.body);
    t.strictSame(versions.body.data, chain);
  }
  t.strictSame((await get('/documents')).body.data, chain.toReversed());
  t.equal((await files()).kept.length, 4);
});

test('bytes of the latest revision return it with 200, bytes of an older one create a revision', async (t) => {
  const { upload, revise, files, types } = await joinDocumentService();
  const [a, b] = [someText(), someText()];
  const first = (await upload({ bytes: a })).body.data;
  const second = (await revise(first.documentId, { bytes: b })).body.data;
  const before = await types();
  const same = await revise(first.documentId, { name: 'other.txt', bytes: b });
  const data = { ...second, proofNonce: null };
  t.match(same, { status: 200, body: { alreadyProven: true } });
  t.strictSame(same.body.data, data);
  t.strictSame(await types(), before);
  t.equal((await files()).kept.length, 2);
  const back = await revise(first.documentId, { bytes: a });
  t.match(back, { status: 201, body: { data: { revision: 3, fileHash: sha256(a) } } });
  t.notOk('alreadyProven' in back.body);
  t.not(back.body.data.proofId, first.proofId);
  const posted = await upload({ bytes: a });
  t.match(posted, { status: 200, body: { data: { documentId: first.documentId } } });
});

test('concurrent revisions form one chain, and none is lost', async (t) => {
  const { upload, revise, get } = await joinDocumentService();
  const first = (await upload()).body.data;
  const answers = await Promise.all(Array.from({ length: 25 }, () => revise(first.documentId)));
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([201]));
  const versions = (await get(`/documents/${first.documentId}/versions`)).body.data;
  t.equal(versions.length, 26);
  for (const [index, version] of versions.entries()) {
    const before = versions[index - 1] ?? { documentId: null, txHash: null };
    t.equal(version.revision, index + 1);
    t.equal(version.previousDocumentId, before.documentId);
    t.equal(version.previousTxHash, before.txHash);
  }
});

test('a revision inherits the latest classification, unless an agent sends another', async (t) => {
  const { upload, revise, service, organisationId } = await joinDocumentService();
  const agent = { key: await service.issueKey(organisationId, { agent: true }) };
  const classified = (runId: string) => ({ agentClassification: JSON.stringify({ runId }) });
  const root = (await upload({}, classified('first'), agent)).body.data.documentId;
  t.match((await revise(root)).body.data.agentClassification, { runId: 'first' });
  await revise(root, {}, classified('second'), agent);
  t.match((await revise(root)).body.data.agentClassification, { runId: 'second' });
  t.match(await revise(root, {}, classified('of no agent')), {
    status: 400,
    body: { code: 'INVALID_CLASSIFICATION' },
  });
  const plain = (await upload()).body.data.documentId;
  t.equal((await revise(plain)).body.data.agentClassification, null);
});

test('an unknown or foreign document is 404 for every call, a malformed id 400', async (t) => {
  const { upload, revise, get, service, files } = await joinDocumentService();
  const { documentId, proofId } = (await upload()).body.data;
  const stranger = await service.openOrganisation();
  const rows: [string, string | undefined, number, string][] = [
    [documentId, stranger.key, 404, 'PROOF_NOT_FOUND'],
    [ulid(), undefined, 404, 'PROOF_NOT_FOUND'],
    [proofId, undefined, 404, 'PROOF_NOT_FOUND'],
    ['x', undefined, 400, 'INVALID_REQUEST'],
    [documentId.toLowerCase(), undefined, 400, 'INVALID_REQUEST'],
  ];
  const texts = new Set<string>();
  for (const [id, key, status, code] of rows) {
    const answers = await Promise.all([
      revise(id, {}, {}, key === undefined ? {} : { key }),
      ...['', '/file', '/versions'].map((path) => get(`/documents/${id}${path}`, key)),
    ]);
    for (const answer of answers) {
      t.match(answer, { status, body: { success: false, code } }, id);
      if (status === 404) texts.add(answer.text);
    }
  }
  t.equal(texts.size, 1, 'same answer for unknown and foreign documents');
  t.strictSame([(await files()).kept.length, (await files()).staged], [1, []]);
});

test('a revision costs a unit, and at the limit it is refused and not stored', async (t) => {
  const { upload, revise, service, organisationId, files } = await joinDocumentService();
  const bytes = someText();
  const { documentId } = (await upload({ bytes })).body.data;
  await service.allow(organisationId, 1);
  t.match(await revise(documentId), {
    status: 403,
    body: { code: 'ENTITLEMENT_EXCEEDED', usage: { used: 1, limit: 1, remaining: 0 } },
  });
  t.match(await revise(documentId, { bytes }), { status: 200 });
  t.equal((await files()).kept.length, 1);
  await service.allow(organisationId, 2);
  t.equal((await revise(documentId)).status, 201);
});

test('a document has at most 1,000 revisions, and a longer chain is still read', async (t) => {
  const { upload, revise, get, service, organisationId, files } = await joinDocumentService();
  const { store } = service;
  const bytes = someText();
  const { documentId: root } = (await upload({ bytes })).body.data;
  const stream = streams.document(root);
  const [first] = await store.readStream(stream);
  /** Events of revisions with the bytes and the proof of the first upload. */
  const chained = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => {
      const link = { documentId: ulid(), rootDocumentId: root, previousDocumentId: root };
      const data = { ...first?.data, ...link, revision: from + index };
      return { type: 'RevisionChained', data } as never;
    });
  const append = async (events: readonly never[]) => {
    const expectedVersion = await store.versionOf(stream);
    await store.append([{ organisationId, stream, expectedVersion, events }], operator);
  };
  await append(chained(2, maxRevisions - 1));
  const before = (await get('/documents')).body.data[0].documentId;
  const last = await revise(before, { bytes: `${bytes} of the last` });
  t.match(last, { status: 201, body: { data: { revision: maxRevisions } } });
  const { documentId } = last.body.data;
  const refused = {
    status: 400,
    body: { code: 'INVALID_REQUEST', message: /^1000 revisions .* upload the file as a new/ },
  };
  t.match(await revise(documentId), refused);
  t.match(await revise(documentId, { bytes: `${bytes} of the last` }), { status: 200 });
  await append(chained(maxRevisions + 1, maxRevisions + 9));
  t.match(await revise(documentId), refused);
  t.match(await revise(documentId, { bytes }), { status: 200, body: { alreadyProven: true } });
  t.equal((await files()).kept.length, 2);
});

test('later revisions skip one that was given up', async (t) => {
  const site = await startDocumentService(t, {
    unanchored: true,
    services: { calls: { proofWaitMs: 4_000 } },
  });
  const { upload, revise, anchoring, service, get } = site;
  const posting = upload();
  await anchoring.anchor(await anchoring.requested(1));
  const first = (await posting).body.data;
  t.match(await revise(first.documentId), { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  await giveUpProof(service.store, await anchoring.requested(2), operator);
  const revising = revise(first.documentId);
  await anchoring.anchor(await anchoring.requested(3));
  const third = (await revising).body.data;
  t.match(third, { revision: 3, previousDocumentId: first.documentId });
  t.equal(third.previousTxHash, first.txHash);
  const versions = (await get(`/documents/${first.documentId}/versions`)).body.data;
  t.strictSame(
    versions.map(({ revision }: { revision: number }) => revision),
    [1, 3],
  );
  t.strictSame(versions[1], { ...third, proofNonce: null });
});

test('the answer to a revision and the list agree while the revision is pending', async (t) => {
  const { upload, revise, anchoring, get } = await startDocumentService(t, { unanchored: true });
  const posting = upload();
  await anchoring.anchor(await anchoring.requested(1));
  const first = (await posting).body.data;
  const headers = { prefer: 'respond-async' };
  const second = await revise(first.documentId, {}, {}, { headers });
  const third = await revise(first.documentId, {}, {}, { headers });
  t.match(second.body.data, { previousTxHash: first.txHash, txHash: null });
  t.match(third.body.data, {
    previousTxHash: null,
    previousDocumentId: second.body.data.documentId,
  });
  for (const { body } of [second, third]) {
    const { data } = body;
    const shown = await get(`/documents/${data.documentId}`);
    t.strictSame(shown.body.data, { ...data, proofNonce: null });
  }
});
