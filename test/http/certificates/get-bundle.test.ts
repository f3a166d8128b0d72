import { type Test, test } from 'tap';
import { ulid } from 'ulid';
import { checkBundle } from '../../../src/certificates/check-bundle.ts';
import { checkWitnesses } from '../../../src/certificates/check-witnesses.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { CheckpointAwaited } from '../../../src/transparency-log/inclusion/await-inclusion.ts';
import {
  addCosignature,
  recentCosigned,
} from '../../../src/transparency-log/published/cosigned-checkpoints.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { readLogKey } from '../../../src/verifier/log/note-key.ts';
import { parsePolicy } from '../../../src/verifier/log/policy.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { download } from '../../support/download.ts';
import { sha256 } from '../../support/forms.ts';
import { readPdf } from '../../support/pdf-text.ts';
import { logSeed } from '../../support/publishing-site.ts';
import { createScriptedAttesting } from '../../support/scripted-attesting.ts';
import { until } from '../../support/until.ts';
import { policyText, reachable, sampleCosigner } from '../../support/witness-servers.ts';

async function startSite(t: Pick<Test, 'teardown'>) {
  const site = await joinDocumentService(t);
  const get = (path: string, more: Parameters<typeof download>[2] & { key?: string } = {}) =>
    download(`${site.service.url}/api/v1${path}`, more.key ?? site.key, more);
  const { proofId } = (await site.upload({ name: 'contract.txt', bytes: 'x' })).body.data;
  return { ...site, get, proofId: proofId as string };
}

test("the bundle equals the certificate's attachment, before and after the certificate is requested", async (t) => {
  const { get, proofId, types, service, key } = await startSite(t);
  const before = await get(`/proofs/${proofId}/bundle`);
  t.equal(before.status, 200);
  const { attachments } = await readPdf((await get(`/certificates/${proofId}`)).bytes);
  t.ok(before.bytes.equals(attachments.get('proof-bundle.json') ?? Buffer.alloc(0)));
  const after = await download(
    `${service.url}/api/public/v1/proofs/${proofId}/bundle?share=false`,
    key,
  );
  t.ok(after.bytes.equals(before.bytes));
  const expected = {
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="proof-bundle-${proofId}.json"`,
    etag: `"${sha256(before.bytes)}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  for (const [name, value] of Object.entries(expected)) {
    t.equal(before.headers.get(name), value, name);
  }
  const issued = (await types()).filter((type) => type === 'CertificateIssued');
  t.equal(issued.length, 1, 'the first request issues the certificate, later ones do not');
});

test('a bundle has the addresses of the answers, and is not issued before its ledger', async (t) => {
  const { get, proofId } = await startSite(t);
  const read = async (path: string) => JSON.parse(String((await get(path)).bytes));
  const { addresses, certificate, anchor } = await read(`/proofs/${proofId}/bundle`);
  const { txHash, verifyUrl, verifyPageUrl, timestamp } = (await read(`/proofs/${proofId}`)).data;
  t.equal(verifyUrl, `https://testnet.xrpl.org/transactions/${txHash}`);
  t.match(addresses, { verifyUrl, verifyPageUrl, publicApiUrl: /\/api\/public\/verify\// });
  t.equal(anchor.closeTimeIso, timestamp);
  t.ok(certificate.issuedAt >= timestamp);
});

test('a bundle contains the log position under a published checkpoint', async (t) => {
  const { get, proofId, service } = await startSite(t);
  const bundle = readBundle(String((await get(`/proofs/${proofId}/bundle`)).bytes));
  if (bundle.version === 1) throw new Error('no log');
  const { checkpoint } = bundle.log;
  t.equal((await service.call('GET', '/log/checkpoint')).text, checkpoint);
  const key = readLogKey(noteSigner(checkpoint.split('\n')[0] ?? '', logSeed).vkey);
  if (key === null) throw new Error('no key');
  const against = {
    fileHash: null,
    accounts: null,
    ledger: { asked: false, why: 'no' } as const,
    logKeys: [key],
  };
  const found = Object.fromEntries(
    checkBundle(bundle, against).map(({ name, outcome }) => [name, outcome]),
  );
  t.match(found, { 'log entry': 'ok', 'log checkpoint': 'ok' });
  await service.publish();
  const again = readBundle(String((await get(`/proofs/${proofId}/bundle`)).bytes));
  t.strictSame(again, bundle, 'also after later publications');
});

test('a bundle and an inclusion proof carry the cosignatures of their checkpoint', async (t) => {
  const { get, proofId, service } = await startSite(t);
  // A later event would get a checkpoint of its own.
  await until('the delivery of the nonce is recorded', async () => {
    return (await service.store.readLog(0, 1_000, ['NonceDelivered'])).length > 0;
  });
  await service.publish();
  const {
    events: { db },
  } = service.services;
  const [row] = await recentCosigned(db, 1);
  const { number = 0, note = '' } = row ?? {};
  const { vkey, cosign } = sampleCosigner(0);
  const lines = cosign(`${note.split('\n\n')[0]}\n`, 1_700_000_000);
  await addCosignature(db, { number, vkey, lines });
  const { data } = JSON.parse(String((await get(`/proofs/${proofId}/inclusion`)).bytes));
  t.equal(data.checkpoint, note + lines);
  const bundle = readBundle(String((await get(`/proofs/${proofId}/bundle`)).bytes));
  if (bundle.version === 1) throw new Error('no log');
  t.equal(bundle.log.checkpoint, note + lines);
  const policy = parsePolicy(policyText([reachable(0, 'https://witness.example/')], 1));
  t.match(checkWitnesses(bundle, policy), { outcome: 'ok' });
});

test('before a checkpoint covers the proof the caller must retry, and nothing is issued', async (t) => {
  const site = await joinDocumentService(t, {
    services: {
      issuing: {
        inclusionOf: async (position) => {
          throw new CheckpointAwaited(position);
        },
      },
    },
  });
  const { proofId } = (await site.upload({ name: 'contract.txt', bytes: 'x' })).body.data;
  const answer = await site.service.call('GET', `/proofs/${proofId}/bundle`, { key: site.key });
  t.match(answer, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  t.ok(answer.headers.get('retry-after'));
  t.notOk((await site.types()).includes('CertificateIssued'));
});

test('with share=true only the nonce is left out', async (t) => {
  const { get, proofId } = await startSite(t);
  const whole = readBundle(String((await get(`/proofs/${proofId}/bundle`)).bytes));
  const answer = await get(`/proofs/${proofId}/bundle?share=true`);
  const { nonce } = whole.commitment;
  t.match(nonce, /^[0-9a-f]{64}$/);
  t.notMatch(answer.bytes.toString(), nonce);
  t.match(answer.headers.get('content-disposition'), /-shared\.json"$/);
  const { checksum: _, commitment, ...rest } = readBundle(answer.bytes.toString());
  const { checksum: __, commitment: ___, ...expected } = whole;
  t.strictSame(rest, expected);
  t.strictSame(commitment, { ...whole.commitment, nonce: null });
  const ledger = { asked: false, why: 'no' } as const;
  const checks = checkBundle(readBundle(answer.bytes.toString()), {
    ...{ fileHash: sha256(Buffer.from('x')), accounts: null, ledger, logKeys: null },
  });
  const found = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
  t.match(found, { checksum: 'ok', 'file hash': 'ok', commitment: 'notChecked', memo: 'ok' });
});

test('a matching If-None-Match is 304, and the two forms have different ETags', async (t) => {
  const { get, proofId } = await startSite(t);
  const path = `/proofs/${proofId}/bundle`;
  const etag = (await get(path)).headers.get('etag') ?? '';
  const headers = { 'if-none-match': etag };
  t.equal((await get(path, { headers })).status, 304);
  t.equal((await get(`${path}?share=true`, { headers })).status, 200);
});

test('refuses invalid requests like those for the certificate', async (t) => {
  const { get, proofId, service, organisationId, types } = await startSite(t);
  const path = `/proofs/${proofId}/bundle`;
  for (const share of ['yes', '2', 'on', 'truee', 'true&share=true']) {
    const answer = await get(`${path}?share=${share}`);
    t.match(answer, { status: 400, code: 'INVALID_REQUEST' }, share);
    t.match(answer.bytes.toString(), 'share');
  }
  t.match(await get('/proofs/x/bundle'), { status: 400, code: 'INVALID_PROOF_ID' });
  t.match(await get(`/proofs/${ulid()}/bundle`), { status: 404, code: 'PROOF_NOT_FOUND' });
  const stranger = await service.openOrganisation();
  t.match(await get(path, { key: stranger.key }), { status: 404, code: 'PROOF_NOT_FOUND' });
  const key = await service.issueKey(organisationId, { scopes: ['documents:read'] });
  t.match(await get(path, { key }), { status: 403, code: 'SCOPE_NOT_PERMITTED' });
  t.notOk((await types()).includes('CertificateIssued'));
});

test('a bundle that differs from the issued one is a 500, and is not served', async (t) => {
  const { get, proofId, service } = await startSite(t);
  t.equal((await get(`/certificates/${proofId}`)).status, 200);
  const {
    certification: { certificates },
  } = service.services;
  const { bundle } = certificates;
  certificates.bundle = (...args) => Buffer.concat([bundle(...args), Buffer.from(' ')]);
  t.match(await get(`/proofs/${proofId}/bundle`), { status: 500, code: 'INTERNAL_ERROR' });
  t.match(await get(`/proofs/${proofId}/bundle?share=true`), { status: 500 });
  t.equal((await get(`/certificates/${proofId}`)).status, 200, 'the stored PDF is unchanged');
});

test('a bundle costs one more request for each 1,000 headers in it', async (t) => {
  const { get, proofId, service, organisationId } = await startSite(t);
  await createScriptedAttesting(service.store).attest(proofId as ProofId, 2_500);
  const poor = await service.issueKey(organisationId, { requestsPerMinute: 5 });
  const path = `/proofs/${proofId}/bundle`;
  const left = ({ status, headers }: Awaited<ReturnType<typeof get>>) => [
    status,
    Number(/^"minute";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
  ];
  const whole = await get(path, { key: poor });
  t.strictSame(left(whole), [200, 2]);
  t.match(readBundle(whole.bytes.toString()), { version: 6, attestation: Object });
  t.strictSame(left(await get(path, { key: poor })), [429, 1], 'counts as one');
  const held = { key: poor, headers: { 'if-none-match': whole.headers.get('etag') ?? '' } };
  t.strictSame(left(await get(path, held)), [304, 0], 'reads no headers');
});
