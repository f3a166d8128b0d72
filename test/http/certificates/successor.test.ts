import { type Test, test } from 'tap';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { StorageUnavailable } from '../../../src/storage/storage-unavailable.ts';
import { extractBundle } from '../../../src/verifier/bundle/extract-bundle.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { checkTimestamp } from '../../../src/verifier/check/check-timestamp.ts';
import { joinDocumentService, startDocumentService } from '../../support/document-service.ts';
import { download } from '../../support/download.ts';
import { sha256 } from '../../support/forms.ts';
import { createScriptedAttesting } from '../../support/scripted-attesting.ts';
import { createStamping } from '../../support/stamp-checkpoint.ts';
import { until } from '../../support/until.ts';

/** A service with a proof whose first certificate was issued before the attestation. */
async function startSite(t: Test, { stamps = false, newEpoch = false } = {}) {
  // A new epoch of the log changes the origin for all of its readers.
  const open = newEpoch ? startDocumentService : joinDocumentService;
  const site = await open(t, { stamps });
  const { service, key } = site;
  const { proofId, documentId } = (await site.upload()).body.data;
  const fetched = (path: string, more: Parameters<typeof download>[2] = {}) =>
    download(`${service.url}/api/v1${path}`, key, more);
  const certificate = (query = '') => fetched(`/certificates/${proofId}${query}`);
  const bundle = (query = '') => fetched(`/proofs/${proofId}/bundle${query}`);
  const list = async () => (await site.get(`/proofs/${proofId}/certificates`)).body.data;
  const proof = async () => (await site.get(`/proofs/${proofId}`)).body.data;
  const attesting = createScriptedAttesting(service.store);
  const attest = async () => {
    await attesting.attest(proofId as ProofId);
    await until('the answers say so', async () => (await proof()).evidence === 'attested');
  };
  return { ...site, proofId, documentId, fetched, certificate, bundle, list, proof, attest };
}

test('a certificate without signatures gets a successor, and remains as it was', async (t) => {
  const site = await startSite(t);
  const { certificate, bundle, list, proofId } = site;
  t.strictSame(await list(), [], 'none before the first request');
  const first = await certificate();
  const [alone] = await list();
  t.match(alone, { number: 1, evidence: 'pending', successor: null, pdfHash: sha256(first.bytes) });
  t.equal(first.headers.get('link'), null);
  await site.attest();

  const second = await certificate();
  t.notOk(second.bytes.equals(first.bytes));
  const before = `/api/v1/certificates/${proofId}?number=1`;
  t.equal(second.headers.get('link'), `<${before}>; rel="predecessor-version"`);
  const kept = await certificate('?number=1');
  t.ok(kept.bytes.equals(first.bytes), 'never overwritten');
  const after = `/api/v1/certificates/${proofId}?number=2`;
  t.equal(kept.headers.get('link'), `<${after}>; rel="successor-version"`);
  t.ok((await certificate('?number=2')).bytes.equals(second.bytes));

  const all = await list();
  t.match(all, [
    { ...alone, successor: 2, certPath: before },
    { number: 2, evidence: 'attested', successor: null, certPath: after },
  ]);
  t.equal(all.length, 2);
  for (const { number, bundlePath, bundleHash } of all) {
    const { bytes } = await site.fetched(bundlePath.replace('/api/v1', ''));
    t.equal(sha256(bytes), bundleHash);
    const attestation = number === 1 ? null : Object;
    t.match(readBundle(bytes.toString()), { version: 6, attestation });
  }
  const shared = await bundle('?number=1&share=true');
  t.match(shared.headers.get('link'), `?number=2&share=true>; rel="successor-version"`);
  t.equal((await site.types()).filter((type) => type === 'CertificateIssued').length, 2);
});

test('a number that no certificate has is 404, a malformed one 400', async (t) => {
  const { certificate, bundle } = await startSite(t);
  t.match(await certificate('?number=1'), { status: 404, code: 'PROOF_NOT_FOUND' });
  t.equal((await certificate()).status, 200);
  for (const get of [certificate, bundle]) {
    t.equal((await get('?number=1')).status, 200);
    t.match(await get('?number=2'), { status: 404, code: 'PROOF_NOT_FOUND' });
    for (const number of ['0', 'x', '-1', '1.5'])
      t.match(await get(`?number=${number}`), { status: 400, code: 'INVALID_REQUEST' }, number);
  }
});

test('while the successor cannot be stored, the first certificate is served', async (t) => {
  const { certificate, attest, storage, list, service } = await startSite(t);
  const first = await certificate();
  await attest();
  const { put } = storage;
  storage.put = () => Promise.reject(new StorageUnavailable('the bucket'));
  t.ok((await certificate()).bytes.equals(first.bytes));
  t.match(service.log.join('\n'), /successor of a certificate could not be issued/);
  storage.put = put;
  t.notOk((await certificate()).bytes.equals(first.bytes));
  t.equal((await list()).length, 2);
});

test('proof, document and lists say whether signatures are on record', async (t) => {
  const { get, proof, documentId, attest } = await startSite(t);
  const shown = async () => [
    (await proof()).evidence,
    (await get(`/documents/${documentId}`)).body.data.evidence,
    (await get('/documents')).body.data[0].evidence,
    (await get(`/documents/${documentId}/versions`)).body.data[0].evidence,
  ];
  t.strictSame(await shown(), ['pending', 'pending', 'pending', 'pending']);
  await attest();
  t.strictSame(await shown(), ['attested', 'attested', 'attested', 'attested']);
});

/** The bundle of the newest certificate. */
async function newest({ bundle }: Awaited<ReturnType<typeof startSite>>) {
  return readBundle((await bundle()).bytes.toString());
}

/** A service that gives certificates tokens, with an authority. */
async function startStampedSite(t: Test, options: { readonly newEpoch?: boolean } = {}) {
  const site = await startSite(t, { stamps: true, ...options });
  const { authority, stamp } = await createStamping(t, site.service);
  const isStamped = async () =>
    (await site.get(`/proofs/${site.proofId}/timestamp`)).status === 200;
  const stamped = async (...args: Parameters<typeof stamp>) => {
    const text = await stamp(...args);
    await until('the token is found', isStamped);
    return text;
  };
  return { ...site, authority, stamp: stamped };
}

/** Without signatures of validators and without a token. */
const bare = { version: 6, attestation: null, timestamp: null };

test('a certificate gets a successor with the token, which openssl verifies', async (t) => {
  const site = await startStampedSite(t, { newEpoch: true });
  const { authority, list, service, certificate } = site;
  await site.attest();
  t.match(await newest(site), { version: 6, attestation: Object, timestamp: null });
  const text = await site.stamp();
  const bundle = await newest(site);
  if (bundle.version !== 6 || bundle.timestamp === null) throw new Error('no token');
  t.equal(bundle.timestamp.checkpointText, text);
  t.ok(await authority.accepts(Buffer.from(bundle.timestamp.token, 'base64'), Buffer.from(text)));
  t.match(checkTimestamp(bundle), [{ name: 'timestamp', outcome: 'ok' }]);
  t.ok(bundle.attestation, 'and with the signatures of the one before');
  t.match(await list(), [
    { number: 1, evidence: 'attested', successor: 2 },
    { number: 2, evidence: 'attested', successor: null },
  ]);

  await service.beginEpoch(2);
  await site.stamp();
  t.strictSame(await newest(site), bundle, 'needs no other');
  t.equal((await certificate('?number=2')).status, 200);
  const pdf = await certificate();
  t.equal(await extractBundle(pdf.bytes), (await site.bundle()).bytes.toString());
  const issued = await service.store.readLog(0, 10_000, ['CertificateIssued']);
  t.match(issued, [{ data: { timestamp: null } }, { data: { timestamp: { hashes: Array } } }]);
});

test('signatures and token that are both late make one successor', async (t) => {
  const site = await startStampedSite(t);
  t.match(await newest(site), bare);
  await site.attest();
  await site.stamp();
  t.match(await newest(site), { version: 6, attestation: Object, timestamp: Object });
  t.equal((await site.list()).length, 2);
});

test('a token without signatures makes a certificate, which signatures complete', async (t) => {
  const site = await startStampedSite(t);
  await site.stamp();
  const first = await newest(site);
  t.match(first, { version: 6, attestation: null });
  await site.attest();
  const whole = await newest(site);
  if (first.version !== 6 || whole.version !== 6) throw new Error('not signed');
  t.ok(whole.attestation);
  t.ok(first.timestamp);
  t.strictSame(whole.timestamp, first.timestamp);
  t.match(await site.list(), [{ evidence: 'pending' }, { evidence: 'attested' }]);
});

test('a token, and signatures after it, make a successor each', async (t) => {
  const site = await startStampedSite(t);
  t.match(await newest(site), bare);
  await site.stamp();
  t.match(await newest(site), { version: 6, attestation: null, timestamp: Object });
  await site.attest();
  t.match(await newest(site), { version: 6, attestation: Object, timestamp: Object });
  t.equal((await site.list()).length, 3);
});

test('a token that readers would refuse delays no certificate', async (t) => {
  const site = await startStampedSite(t);
  await site.stamp({ token: 'AAAA' });
  t.match(await newest(site), bare);
  t.match(site.service.log.join('\n'), /issued without its time-stamp token/);
  await newest(site);
  t.equal((await site.list()).length, 1);
});

test('without a configured authority, certificates have no tokens that are on record', async (t) => {
  const site = await startSite(t);
  const { stamp } = await createStamping(t, site.service);
  await stamp();
  t.match(await newest(site), bare);
  const [issued] = await site.service.store.readLog(0, 10_000, ['CertificateIssued']);
  const leaf = await site.service.services.publishedLog.leaves.readInput(issued?.position ?? 0);
  t.equal(leaf?.schema, 7);
});
