import { type Test, test } from 'tap';
import { ulid } from 'ulid';
import { proofStatusResponse } from '../../../src/views/proof-schema.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { sha256, someText } from '../../support/forms.ts';
import { joinHttpService } from '../../support/http-service.ts';
import {
  anchoredAt,
  createScriptedAnchoring,
  randomDigest,
} from '../../support/scripted-anchoring.ts';

async function start(t: Pick<Test, 'teardown'>) {
  const service = await joinHttpService(t);
  const anchoring = await createScriptedAnchoring(service.store);
  const { key, workspaceId } = await service.openOrganisation();
  const hash = randomDigest();
  const metadata = { description: 'the first page', caseNumber: 'C-1', tags: ['a', { b: null }] };
  const file = { fileName: 'ä\u202e.pdf', fileSize: 10, mimeType: 'application/pdf' };
  const json = { hash, workspace: workspaceId, ...file, metadata };
  const headers = { prefer: 'respond-async' };
  const queued = await service.call('POST', '/proofs', { key, json, headers });
  const { proofId, proofNonce } = queued.body.data;
  const get = (path: string, withKey = key) => service.call('GET', path, { key: withKey });
  return { service, anchoring, key, hash, proofId, proofNonce, metadata, get };
}

test('a proof is shown in its current state', async (t) => {
  const { anchoring, hash, proofId, metadata, get } = await start(t);
  const pending = await get(`/proofs/${proofId}`);
  t.equal(pending.status, 200);
  t.strictSame(proofStatusResponse.strict().parse(pending.body), pending.body);
  t.match(pending.body.data, {
    proofId,
    blockchainStatus: 'pending',
    fileHash: hash,
    fileName: 'ä\u202e.pdf',
    txHash: null,
    verifyUrl: null,
    verifyPageUrl: null,
    ledgerIndex: null,
    timestamp: null,
    ...{
      fileSize: 10,
      mimeType: 'application/pdf',
      description: 'the first page',
      standalone: false,
    },
  });
  t.strictSame(pending.body.data.metadata, metadata);
  const { transactionHash } = await anchoring.prepare(proofId);
  t.match((await get(`/proofs/${proofId}`)).body.data, {
    blockchainStatus: 'processing',
    txHash: transactionHash,
    verifyUrl: `https://testnet.xrpl.org/transactions/${transactionHash}`,
    verifyPageUrl: new RegExp(`/verify/${transactionHash}$`),
    ledgerIndex: null,
    timestamp: null,
    requestedAt: pending.body.data.requestedAt,
  });
  await anchoring.anchor(proofId);
  t.match((await get(`/proofs/${proofId}`)).body.data, {
    blockchainStatus: 'completed',
    txHash: transactionHash,
    ledgerIndex: Number,
    timestamp: anchoredAt.closeTimeIso,
    requestedAt: pending.body.data.requestedAt,
  });
});

test('the nonce is shown only if includeSalt is true, and values that are no boolean are 400', async (t) => {
  const { proofId, proofNonce, get } = await start(t);
  const rows: [string, number, unknown][] = [
    ['', 200, null],
    ['?includeSalt=false', 200, null],
    ['?includeSalt=true', 200, proofNonce],
    ['?other=%FF&includeSalt=true', 200, proofNonce],
    ['?includeSalt=True', 200, proofNonce],
    ['?includeSalt=1', 200, proofNonce],
    ['?includeSalt=0', 200, null],
    ['?includeSalt=', 200, null],
    ['?includeSalt', 200, null],
    ['?includeSalt=yes', 400, undefined],
    ['?includeSalt=2', 400, undefined],
    ['?includeSalt=true&includeSalt=true', 400, undefined],
    ['?includeSalt=%ZZ', 400, undefined],
  ];
  for (const [query, status, nonce] of rows) {
    const answer = await get(`/proofs/${proofId}${query}`);
    t.equal(answer.status, status, query);
    t.equal(answer.body.data?.proofNonce, nonce, query);
    if (status === 400)
      t.match(answer.body, { code: 'INVALID_REQUEST', message: /^includeSalt: / });
  }
});

test('a malformed id is 400, unknown and foreign ids are the same 404', async (t) => {
  const { service, proofId, get } = await start(t);
  const other = await service.openOrganisation();
  const malformed = [
    'x',
    proofId.toLowerCase(),
    `${proofId}0`,
    proofId.slice(1),
    '%00',
    '%ZZ',
    '%E0',
  ];
  for (const id of malformed) {
    const code = 'INVALID_PROOF_ID';
    t.match(await get(`/proofs/${id}`), { status: 400, body: { success: false, code } }, id);
  }
  const unknown = await get(`/proofs/${ulid()}`);
  const foreign = await get(`/proofs/${proofId}`, other.key);
  t.match(unknown, { status: 404, body: { success: false, code: 'PROOF_NOT_FOUND' } });
  t.strictSame([foreign.status, foreign.body], [unknown.status, unknown.body]);
});

test('a proof of a hash alone takes the name of its document, as in the list', async (t) => {
  const { upload, revise, get, service, key, workspace } = await joinDocumentService(t);
  const post = async (bytes: Uint8Array) => {
    const json = { hash: sha256(bytes), workspace, fileName: 'as posted.txt' };
    return (await service.call('POST', '/proofs', { key, json })).body.data.proofId;
  };
  const nameOf = async (proofId: string) => {
    const { data } = (await get(`/documents?search=${proofId}`)).body;
    const { fileName } = (await get(`/proofs/${proofId}`)).body.data;
    t.equal(fileName, data[0].fileName);
    return fileName;
  };
  const [linked, beside] = [someText(), someText()];
  const proofId = await post(linked);
  t.equal(await nameOf(proofId), 'as posted.txt');
  const first = await upload({ name: 'as uploaded.txt', bytes: linked });
  t.equal(first.body.data.proofId, proofId);
  t.equal(await nameOf(proofId), 'as uploaded.txt');
  const other = await post(beside);
  const { documentId } = first.body.data;
  const second = (await revise(documentId, { name: 'revised.txt', bytes: beside })).body.data;
  t.equal(await nameOf(other), 'as posted.txt', 'a revision has its own proof');
  t.equal(await nameOf(second.proofId), 'revised.txt');
});
