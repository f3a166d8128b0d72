import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'tap';
import { changeStorageAllowance } from '../../../src/commands/change-storage-allowance.ts';
import { giveUpProof } from '../../../src/commands/give-up-proof.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { documentResponse } from '../../../src/views/document-schema.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { formType, sha256, someText } from '../../support/forms.ts';
import { operator } from '../../support/http-service.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { anchoredAt } from '../../support/scripted-anchoring.ts';
import { until } from '../../support/until.ts';

test('an upload is stored and proven: 201 with the document, its proof and the nonce', async (t) => {
  const { upload, workspace, files, get } = await joinDocumentService(t);
  const bytes = someText();
  const before = Date.now();
  const { status, body, headers } = await upload(
    { name: 'Vertrag – Entwurf.txt', bytes, type: 'text/plain' },
    { description: 'Entwurf für Zoë' },
  );
  t.equal(status, 201);
  t.strictSame(documentResponse.strict().parse(body), body);
  const { proofNonce, proofCommitment, uploadedAt, requestedAt, ...answered } = body.data;
  const { proofId, documentId, txHash, id, verifyPageUrl, ...rest } = answered;
  t.equal(id, documentId);
  t.match(verifyPageUrl, new RegExp(`^http.*/verify/${txHash}$`));
  t.match(requestedAt, /Z$/);
  t.strictSame(rest, {
    verifyUrl: `https://testnet.xrpl.org/transactions/${txHash}`,
    certPath: `/api/v1/certificates/${proofId}`,
    ledger: 'testnet',
    standalone: false,
    ledgerIndex: 101,
    timestamp: anchoredAt.closeTimeIso,
    hashScheme: 'hmac-sha256-nonce-v3',
    blockchainStatus: 'completed',
    evidence: 'pending',
    fileName: 'Vertrag – Entwurf.txt',
    fileHash: sha256(bytes),
    fileSize: bytes.length,
    mimeType: 'text/plain',
    description: 'Entwurf für Zoë',
    metadata: { description: 'Entwurf für Zoë' },
    workspace,
    revision: 1,
    rootDocumentId: documentId,
    previousDocumentId: null,
    previousTxHash: null,
    agentClassification: null,
  });
  t.match(proofNonce, /^[0-9a-f]{64}$/);
  t.match(proofCommitment, /^[0-9a-f]{64}$/);
  t.ok(Date.parse(uploadedAt) >= before - 1_000 && Date.parse(uploadedAt) <= Date.now() + 1_000);
  t.equal(headers.get('cache-control'), 'no-store');
  const { kept, staged } = await files();
  t.equal(kept.length, 1);
  t.strictSame(staged, []);

  const shown = await get(`/documents/${documentId}`);
  t.match(shown, { status: 200 });
  t.strictSame(shown.body, { success: true, data: { ...body.data, proofNonce: null } });
  const list = await get('/documents');
  t.strictSame(list.body.data, [shown.body.data]);
  t.strictSame(list.body.meta, { page: 1, limit: 20, total: 1 });
  const proof = await get(`/proofs/${proofId}?includeSalt=true`);
  t.match(proof.body.data, { proofNonce, fileName: 'Vertrag – Entwurf.txt', txHash });
});

test('the same bytes again return the original: 200, alreadyProven, and nothing is stored twice', async (t) => {
  const { upload, files, types } = await joinDocumentService();
  const bytes = someText();
  const first = await upload({ name: 'first.txt', bytes });
  const before = await types();
  for (const headers of [{}, { prefer: 'respond-async' }]) {
    const again = await upload({ name: 'second.txt', bytes }, { description: 'x' }, { headers });
    t.equal(again.status, 200);
    const data = { ...first.body.data, proofNonce: null };
    t.strictSame(again.body, { success: true, alreadyProven: true, data });
  }
  t.strictSame(await types(), before, 'nothing was appended');
  t.equal((await files()).kept.length, 1);
});

test('known bytes under a name that contradicts them are refused', async (t) => {
  const { upload } = await joinDocumentService();
  const bytes = someText();
  t.match(await upload({ name: 'a.txt', bytes }), { status: 201 });
  t.match(await upload({ name: 'a.pdf', bytes }), {
    status: 422,
    body: { code: 'FILE_BYTES_NOT_VERIFIED' },
  });
});

test('20 concurrent uploads of the same bytes create one document and one file', async (t) => {
  const { upload, files, types } = await joinDocumentService();
  const bytes = someText();
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload({ bytes })));
  const created = answers.filter(({ status }) => status === 201);
  t.equal(created.length, 1);
  const { data } = created[0]?.body ?? {};
  for (const { status, body } of answers) {
    if (status === 201) continue;
    t.equal(status, 200);
    t.strictSame(body, { success: true, alreadyProven: true, data: { ...data, proofNonce: null } });
  }
  const appended = await types();
  t.equal(appended.filter((type) => type === 'DocumentStored').length, 1);
  t.equal(appended.filter((type) => type === 'UnitTaken').length, 1);
  const { kept, staged } = await files();
  t.strictSame([kept.length, staged], [1, []], 'the other uploads deleted their files');
});

test('bytes of a proven hash are stored under that proof: 201, alreadyProven, no unit', async (t) => {
  const { upload, service, key, workspace, get, types } = await joinDocumentService();
  const bytes = someText();
  const json = { hash: sha256(bytes), workspace, fileName: 'of the hash' };
  const proven = (await service.call('POST', '/proofs', { key, json })).body.data;
  const list = await get('/documents');
  t.match(list.body.data, [{ proofId: proven.proofId, documentId: null, fileName: 'of the hash' }]);
  const kept = await upload({ name: 'a.txt', bytes });
  t.match(kept, {
    status: 201,
    body: {
      alreadyProven: true,
      data: { proofId: proven.proofId, txHash: proven.txHash, proofNonce: null, revision: 1 },
    },
  });
  t.same(
    (await types()).filter((type) => ['UnitTaken', 'AnchorPrepared'].includes(type)),
    ['AnchorPrepared'],
  );
  const { documentId } = kept.body.data;
  t.strictSame((await get(`/documents/${documentId}`)).body.data, kept.body.data);
  const again = await upload({ name: 'b.txt', bytes });
  t.match(again, { status: 200, body: { alreadyProven: true, data: { documentId } } });
});

test('an upload waits for the unsettled proof of its hash, which is no longer withdrawn', async (t) => {
  const site = await joinDocumentService(t, {
    unanchored: true,
    // On a busy machine, the upload must come before the post gives up.
    services: { calls: { proofWaitMs: 5_000 } },
  });
  const { upload, service, key, workspace, anchoring, get } = site;
  const bytes = someText();
  const json = { hash: sha256(bytes), workspace };
  const posting = service.call('POST', '/proofs', { key, json });
  const proofId = await anchoring.requested(1);
  const first = await upload({ bytes });
  t.match(first, { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  t.match(await posting, { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  const waiting = upload({ bytes });
  await anchoring.anchor(proofId);
  t.match(await waiting, { status: 200, body: { alreadyProven: true, data: { proofId } } });
  t.match(await get('/documents'), { body: { data: [{ proofId, revision: 1 }] } });
});

test('when the ledger is too slow: 502 PROOF_NOT_RECORDED, and the file is stored', async (t) => {
  const { upload, anchoring, get, files } = await joinDocumentService(t, {
    unanchored: true,
    services: { calls: { proofWaitMs: 300 } },
  });
  const bytes = someText();
  const refused = await upload({ bytes });
  t.match(refused, { status: 502, body: { success: false, code: 'PROOF_NOT_RECORDED' } });
  t.equal((await files()).kept.length, 1);
  const pending = (await get('/documents')).body.data[0];
  t.match(pending, { blockchainStatus: 'pending', txHash: null, timestamp: null });
  t.match(await upload({ bytes }), { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  await anchoring.anchor(pending.proofId);
  const shown = await get(`/documents/${pending.documentId}`);
  t.match(shown.body.data, { blockchainStatus: 'completed', fileHash: sha256(bytes) });
  t.match(await upload({ bytes }), { status: 200, body: { alreadyProven: true } });
});

test('with Prefer: respond-async the answer is 202 at once, with the document pending', async (t) => {
  const { upload, anchoring, get } = await joinDocumentService(t, { unanchored: true });
  const bytes = someText();
  const headers = { prefer: 'respond-async' };
  const queued = await upload({ bytes }, {}, { headers });
  t.equal(queued.status, 202);
  t.strictSame(documentResponse.strict().parse(queued.body), queued.body);
  const { documentId, proofId } = queued.body.data;
  t.equal(queued.headers.get('preference-applied'), 'respond-async');
  t.equal(queued.headers.get('location'), `/api/v1/documents/${documentId}`);
  t.match(queued.body.data, { blockchainStatus: 'pending', proofNonce: /^[0-9a-f]{64}$/ });
  const joined = await upload({ bytes }, {}, { headers });
  t.match(joined, { status: 202, body: { data: { documentId, proofNonce: null } } });
  t.notOk('alreadyProven' in joined.body);
  await anchoring.anchor(proofId);
  t.match(await get(queued.headers.get('location') ?? ''), {
    body: { data: { blockchainStatus: 'completed' } },
  });
});

test('an upload that was given up is invisible, and the bytes can be uploaded again', async (t) => {
  const { upload, anchoring, get, service } = await joinDocumentService(t, { unanchored: true });
  const bytes = someText();
  const waiting = upload({ bytes });
  const proofId = await anchoring.requested(1);
  const [item] = (await get('/documents')).body.data;
  await giveUpProof(service.store, proofId as ProofId, operator);
  t.match(await waiting, { status: 502, body: { code: 'XRPL_ERROR' } });
  for (const path of ['', '/file', '/versions']) {
    t.match(await get(`/documents/${item.documentId}${path}`), {
      status: 404,
      body: { code: 'PROOF_NOT_FOUND' },
    });
  }
  t.match(await get('/documents'), { body: { data: [], meta: { total: 0 } } });
  const again = upload({ bytes });
  await anchoring.anchor(await anchoring.requested(2));
  t.match(await again, { status: 201 });
});

test('an agent classifies the file, and other keys read the classification', async (t) => {
  const { upload, service, organisationId, get } = await joinDocumentService();
  const agent = await service.issueKey(organisationId, { agent: true });
  const said = { runId: 'run/1 é', risk: { level: 3, why: ['x', null] }, __proto: 1 };
  const agentClassification = JSON.stringify(said);
  const { status, body } = await upload({}, { agentClassification }, { key: agent });
  t.equal(status, 201);
  t.strictSame(body.data.agentClassification, said);
  const shown = await get(`/documents/${body.data.documentId}`);
  t.strictSame(shown.body.data.agentClassification, said);
  const largest = JSON.stringify({ a: 'x'.repeat(16_384 - 8) });
  const second = await upload({}, { agentClassification: largest }, { key: agent });
  t.equal(second.status, 201);
  t.equal(JSON.stringify(second.body.data.agentClassification), largest);
});

test('a caller without permission is refused before the form is read', async (t) => {
  const { service, organisationId } = await joinDocumentService();
  const reader = await service.issueKey(organisationId, { scopes: ['documents:read'] });
  const free = await service.openOrganisation('free');
  const rows: [string, number, string][] = [
    ['', 401, 'INVALID_API_KEY'],
    [reader, 403, 'SCOPE_NOT_PERMITTED'],
    [free.key, 403, 'API_ACCESS_DISABLED'],
  ];
  for (const [key, status, code] of rows) {
    for (const path of ['/documents', '/documents/x/version']) {
      const headers = { 'content-type': 'text/nonsense' };
      const answer = await service.call('POST', path, { key, body: 'nonsense', headers });
      t.match(answer, { status, body: { code } });
    }
  }
});

test('both bases accept uploads, and the mirror exposes the file name to pages of any origin', async (t) => {
  const { service, key, workspace } = await joinDocumentService();
  const body = new FormData();
  body.append('workspace', workspace);
  body.append('file', new Blob(['from a page']), 'page.txt');
  const headers = { origin: 'https://example.org' };
  const made = await service.call('POST', '/api/public/v1/documents', { key, body, headers });
  t.equal(made.status, 201);
  t.equal(made.headers.get('access-control-allow-origin'), '*');
  const path = `/api/public/v1/documents/${made.body.data.documentId}/file`;
  const file = await service.call('GET', path, { key, headers });
  t.equal(file.text, 'from a page');
  t.match(file.headers.get('access-control-expose-headers'), /Content-Disposition/);
});

test('100 concurrent uploads use exactly the remaining allowance', async (t) => {
  const { service, upload, organisationId, files, types } = await joinDocumentService();
  await service.allow(organisationId, 40);
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: 100 }, () => upload()));
  t.ok(performance.now() - started < (await onThisMachine(30_000)));
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 403);
  t.strictSame([made.length, refused.length], [40, 60]);
  for (const { body } of refused) {
    t.match(body, { success: false, code: 'ENTITLEMENT_EXCEEDED' });
    t.strictSame(body.usage, { used: 40, limit: 40, remaining: 0, unit: 'documents' });
  }
  await until('only accepted files are kept', async () => {
    const { kept, staged } = await files();
    return kept.length === 40 && staged.length === 0;
  });
  t.equal((await types()).filter((type) => type === 'UnitTaken').length, 40);
});

test('uploads beyond the storage allowance are 403, and leave no file', async (t) => {
  const { service, upload, organisationId, files } = await joinDocumentService();
  const allow = (bytes: number) =>
    changeStorageAllowance(service.store, organisationId, bytes, { actor: 'operator' });
  await allow(250);
  const bytes = Buffer.alloc(100, 'a');
  t.equal((await upload({ bytes })).status, 201);
  const answers = await Promise.all(
    ['b', 'c', 'd'].map((letter) => upload({ bytes: Buffer.alloc(100, letter) })),
  );
  t.strictSame(answers.map(({ status }) => status).toSorted(), [201, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  t.match(refused?.body, {
    ...{ success: false, code: 'ENTITLEMENT_EXCEEDED' },
    usage: { used: 200, limit: 250, remaining: 50, unit: 'bytes' },
  });
  t.match(refused?.body.message, /200 of 250 bytes, and this file has 100/);
  t.equal((await upload({ bytes })).status, 200, 'known bytes need no storage');
  await until('only accepted files are kept', async () => {
    const { kept, staged } = await files();
    return kept.length === 2 && staged.length === 0;
  });
  await allow(300);
  t.equal((await upload({ bytes: Buffer.alloc(100, 'e') })).status, 201);
});

test('an upload that cannot fit into the storage is 403 before its body arrives', async (t) => {
  const { service, upload, organisationId, key } = await joinDocumentService();
  const allow = (bytes: number) =>
    changeStorageAllowance(service.store, organisationId, bytes, { actor: 'operator' });
  const mebibyte = 1_048_576;
  /** Announces a form of so many bytes. Returns the status, or null if the body is awaited. */
  const announce = async (bytes: number) => {
    const sent = request(`${service.url}/api/v1/documents`, {
      method: 'POST',
      headers: {
        ...formType,
        authorization: `Bearer ${key}`,
        'content-length': bytes,
        expect: '100-continue',
      },
    });
    sent.on('error', () => {});
    sent.flushHeaders();
    const answered = once(sent, 'response').then(
      ([answer]) => (answer as IncomingMessage).statusCode,
    );
    const welcomed = once(sent, 'continue').then(() => null);
    const outcome = await Promise.race([answered, welcomed]);
    sent.destroy();
    return outcome;
  };
  await allow(3 * mebibyte);
  const bytes = Buffer.alloc(2 * mebibyte, 'a');
  t.equal((await upload({ bytes })).status, 201);
  t.equal(await announce(20 * mebibyte), 403, 'larger than everything that is stored');
  t.equal(await announce(2 * mebibyte), null, 'the file may be small: the rest can be fields');
  t.equal(await announce(2.5 * mebibyte), null, 'it can be the file that is stored');
  t.equal((await upload({ bytes })).status, 200, 'known bytes need no storage');
  t.equal(await announce(Math.ceil(3.2 * mebibyte)), 403, 'all stored files together are smaller');
  await allow(2.5 * mebibyte);
  t.equal(await announce(Math.ceil(1.9 * mebibyte)), 403, 'no stored file has such a size');
  await allow(100 * mebibyte);
  t.equal(await announce(20 * mebibyte), null);
});

test('known bytes cost nothing and succeed at the limit', async (t) => {
  const { service, upload, organisationId, key, workspace } = await joinDocumentService();
  const bytes = someText();
  const proven = someText();
  t.equal((await upload({ bytes })).status, 201);
  const json = { hash: sha256(proven), workspace };
  await service.call('POST', '/proofs', { key, json });
  await service.allow(organisationId, 1);
  t.equal((await upload({ bytes })).status, 200);
  t.match(await upload({ bytes: proven }), { status: 201, body: { alreadyProven: true } });
  t.match(await upload(), {
    status: 403,
    body: { usage: { used: 1, limit: 1, remaining: 0 } },
  });
});
