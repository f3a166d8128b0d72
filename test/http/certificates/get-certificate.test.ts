import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Test, test } from 'tap';
import { ulid } from 'ulid';
import { RendererUnavailable } from '../../../src/certificates/pdf/certificate-renderer.ts';
import { currentTemplate } from '../../../src/domain/proof/template-version.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { openObjectStorage } from '../../../src/storage/open-object-storage.ts';
import { StorageUnavailable } from '../../../src/storage/storage-unavailable.ts';
import { encrypted, listedKeys, newFolder } from '../../support/blobs.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { download } from '../../support/download.ts';
import { sha256 } from '../../support/forms.ts';
import type { Answer } from '../../support/http-service.ts';
import { readPdf } from '../../support/pdf-text.ts';
import { s3Bucket, startS3Server } from '../../support/s3-server.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';
import { until } from '../../support/until.ts';

/** A service with a changeable address, and a caller of certificates. */
async function startSite(t: Test, options: Parameters<typeof joinDocumentService>[1] = {}) {
  const site = await joinDocumentService(t, options);
  const { service, key, workspace } = site;
  const prove = (fields: object = {}, headers = {}): Promise<Answer> => {
    const json = { hash: randomDigest(), workspace, ...fields };
    return service.call('POST', '/proofs', { key, json, headers });
  };
  const certificate = (
    proofId: string,
    more: Parameters<typeof download>[2] & { key?: string } = {},
  ) => download(`${service.url}/api/v1/certificates/${proofId}`, more.key ?? key, more);
  const issued = async () => (await site.types()).filter((type) => type === 'CertificateIssued');
  return { ...site, prove, certificate, issued };
}

test('a certificate is the same PDF at any time and address', async (t) => {
  const { upload, certificate, issued, service, key } = await startSite(t);
  const { proofId } = (await upload({ name: 'Ölbild "1".txt', bytes: 'x' })).body.data;
  const first = await certificate(proofId);
  t.equal(first.status, 200);
  const { pages } = await readPdf(first.bytes);
  for (const fact of ['Ölbild "1".txt', proofId, 'Acme', 'Archive', sha256(Buffer.from('x'))]) {
    t.match(pages.join('\n'), fact);
  }
  const expected = {
    'content-type': 'application/pdf',
    'content-length': String(first.bytes.length),
    'content-disposition': `attachment; filename="certificate-${proofId}.pdf"`,
    etag: `"${sha256(first.bytes)}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  for (const [name, value] of Object.entries(expected))
    t.equal(first.headers.get(name), value, name);

  const again = await certificate(proofId);
  t.ok(again.bytes.equals(first.bytes));
  const mirror = await download(`${service.url}/api/public/v1/certificates/${proofId}`, key, {
    headers: { origin: 'https://example.com' },
  });
  t.ok(mirror.bytes.equals(first.bytes));
  t.equal(mirror.headers.get('access-control-allow-origin'), '*');
  t.match(mirror.headers.get('access-control-expose-headers'), /\bETag\b/);
  const head = await certificate(proofId, { method: 'HEAD' });
  t.equal(head.headers.get('content-length'), String(first.bytes.length));
  t.equal((await issued()).length, 1);
});

test('a matching If-None-Match is 304 without a body', async (t) => {
  const { prove, certificate } = await startSite(t);
  const { proofId } = (await prove()).body.data;
  const etag = (await certificate(proofId)).headers.get('etag') ?? '';
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await certificate(proofId, { headers: { 'if-none-match': held } });
    t.match(answer, { status: 304, bytes: Buffer.alloc(0) });
    t.equal(answer.headers.get('etag'), etag);
  }
  t.equal((await certificate(proofId, { headers: { 'if-none-match': '"o"' } })).status, 200);
});

test('one of many first requests issues the certificate, and all receive its bytes', async (t) => {
  const { prove, certificate, issued, files } = await startSite(t);
  const { proofId } = (await prove()).body.data;
  const answers = await Promise.all(Array.from({ length: 30 }, () => certificate(proofId)));
  t.strictSame([...new Set(answers.map(({ bytes }) => sha256(bytes)))].length, 1);
  t.ok(answers.every(({ status }) => status === 200));
  t.equal((await issued()).length, 1);
  t.match(await files(), { kept: [/./], staged: [] });
  t.equal((await files()).kept.length, 1);
});

test('a certificate before validation by the ledger is 409', async (t) => {
  const { prove, certificate, anchoring, issued } = await startSite(t, { unanchored: true });
  const pending = prove();
  const proofId = await anchoring.requested(1);
  t.match(await certificate(proofId), { status: 409, code: 'PROOF_NOT_ANCHORED' });
  await anchoring.prepare(proofId);
  t.match(await certificate(proofId), { status: 409, code: 'PROOF_NOT_ANCHORED' });
  t.strictSame(await issued(), []);
  await anchoring.anchor(proofId);
  await pending;
  t.equal((await certificate(proofId)).status, 200);
});

test('a certificate of an unknown, foreign or rolled-back proof is the same 404', async (t) => {
  const site = await startSite(t, { unanchored: true, services: { calls: { proofWaitMs: 100 } } });
  const { prove, certificate, service, anchoring } = site;
  const withdrawn = await prove();
  t.equal(withdrawn.status, 502);
  const gone = await anchoring.requested(1);
  // A queued one is not rolled back while it is anchored.
  await prove({}, { prefer: 'respond-async' });
  const mine = await anchoring.requested(2);
  await anchoring.anchor(mine);
  const stranger = await service.openOrganisation();
  const answers = [
    await certificate(ulid()),
    await certificate(mine, { key: stranger.key }),
    await certificate(gone),
  ];
  for (const { status, bytes } of answers) {
    t.equal(status, 404);
    t.strictSame(JSON.parse(bytes.toString()), JSON.parse(String(answers[0]?.bytes)));
    t.match(JSON.parse(bytes.toString()), { success: false, code: 'PROOF_NOT_FOUND' });
  }
});

test('malformed ids are 400, keys without the scope 403, requests without a key 401', async (t) => {
  const { prove, certificate, service, organisationId, issued } = await startSite(t);
  const { proofId } = (await prove()).body.data;
  for (const id of ['x', `${proofId}0`, proofId.toLowerCase(), '%00', `${proofId}.pdf`]) {
    t.match(await certificate(id), { status: 400, code: 'INVALID_PROOF_ID' }, id);
  }
  const key = await service.issueKey(organisationId, { scopes: ['documents:read'] });
  t.match(await certificate(proofId, { key }), { status: 403, code: 'SCOPE_NOT_PERMITTED' });
  const anonymous = await download(`${service.url}/api/v1/certificates/${proofId}`, null);
  t.match(anonymous, { status: 401, code: 'INVALID_API_KEY' });
  t.strictSame(await issued(), []);
  const agent = await service.issueKey(organisationId, { scopes: ['certificates:read'] });
  t.equal((await certificate(proofId, { key: agent })).status, 200);
});

test('a lost or damaged certificate file is rendered again with the same bytes, and stored', async (t) => {
  let publicUrl = 'https://before.example';
  const site = await startSite(t, { services: { site: { publicUrl: () => publicUrl } } });
  const { prove, certificate, files, folder, service, issued } = site;
  const { proofId } = (await prove()).body.data;
  const first = await certificate(proofId);
  publicUrl = 'https://after.example/proofs';
  const [name = ''] = (await files()).kept;
  const file = join(folder, name);
  const flipped = await readFile(file);
  const storedBytes = flipped.length;
  flipped.writeUInt8(flipped.readUInt8(9_000) ^ 1, 9_000);
  const harms: [string, () => Promise<void>][] = [
    ['gone', () => rm(file)],
    ['cut', () => truncate(file, 3)],
    ['changed', () => writeFile(file, flipped)],
  ];
  for (const [what, harm] of harms) {
    await harm();
    const answers = await Promise.all([certificate(proofId), certificate(proofId)]);
    for (const { bytes } of answers) t.ok(bytes.equals(first.bytes), what);
    t.equal((await readFile(file)).length, storedBytes, `${what}: stored again`);
  }
  const logged = service.log.filter((line) => line.includes('stored certificate is missing'));
  t.equal(logged.length, harms.length);
  t.strictSame((await files()).staged, []);
  t.equal((await issued()).length, 1);
});

test('a certificate in a bucket is stored, and rendered again when it is lost', async (t) => {
  const { endpoint } = await startS3Server(t);
  const url = `s3://${s3Bucket}/kept/?endpoint=${endpoint}`;
  const storage = encrypted(await openObjectStorage(url, await newFolder(t)));
  const { prove, certificate, issued, organisationId } = await startSite(t, {
    services: { files: { storage } },
  });
  const { proofId } = (await prove()).body.data;
  const { bytes } = await certificate(proofId);
  const keys = await listedKeys(storage);
  t.match(keys, [new RegExp(`^${organisationId}/`)]);
  t.ok((await certificate(proofId)).bytes.equals(bytes));
  await storage.deleteAll(organisationId);
  t.strictSame(await listedKeys(storage), [], 'erased with its organisation');
  t.ok((await certificate(proofId)).bytes.equals(bytes));
  t.strictSame(await listedKeys(storage), keys);
  t.equal((await issued()).length, 1);
});

test('a certificate that is rendered again with other bytes is a 500', async (t) => {
  const site = await startSite(t);
  const { prove, certificate, files, folder, service } = site;
  const { proofId } = (await prove()).body.data;
  const first = await certificate(proofId);
  const [name = ''] = (await files()).kept;
  await rm(join(folder, name));
  const {
    certification: { certificates },
  } = service.services;
  const { pdf } = certificates;
  certificates.pdf = async (...args) => Buffer.concat([await pdf(...args), Buffer.from('\n')]);
  const answer = await certificate(proofId);
  t.match(answer, { status: 500, code: 'INTERNAL_ERROR' });
  t.equal(answer.headers.get('etag'), null);
  const logged =
    service.log.findLast((line) => line.includes('"unexpected error in a request"')) ?? '{}';
  t.match(JSON.parse(logged), {
    level: 50,
    err: { message: /differs from the issued one/ },
  });
  t.strictSame((await files()).kept, [], 'the differing PDF is not stored');
  certificates.pdf = pdf;
  t.ok((await certificate(proofId)).bytes.equals(first.bytes));
});

test('while renderer or storage is away: 503 with Retry-After, and nothing is issued', async (t) => {
  const site = await startSite(t);
  const { prove, certificate, service, storage, issued } = site;
  const { proofId } = (await prove()).body.data;
  const {
    certification: { certificates },
  } = service.services;
  const { newPdf } = certificates;
  certificates.newPdf = () => Promise.reject(new RendererUnavailable('too many wait'));
  const full = await certificate(proofId);
  t.match(full, { status: 503, code: 'SERVICE_UNAVAILABLE' });
  t.match(full.headers.get('retry-after'), /^[1-9]\d*$/);
  t.notMatch(full.bytes.toString(), 'too many wait');
  certificates.newPdf = newPdf;
  const { put } = storage;
  storage.put = () => Promise.reject(new StorageUnavailable('the bucket my-secret'));
  t.match(await certificate(proofId), { status: 503, code: 'SERVICE_UNAVAILABLE' });
  t.strictSame(await issued(), []);
  storage.put = put;
  const { bytes } = await certificate(proofId);
  storage.put = () => Promise.reject(new StorageUnavailable('the bucket my-secret'));
  await storage.deleteAll(site.organisationId);
  t.ok((await certificate(proofId)).bytes.equals(bytes), 'an issued certificate is rendered again');
  t.match(service.log.join('\n'), /certificate could not be stored/);
});

test('a certificate names the file as in its document at the time of issue', async (t) => {
  const { prove, upload, revise, certificate } = await startSite(t);
  const text = async (proofId: string) =>
    (await readPdf((await certificate(proofId)).bytes)).pages.join('\n');
  const named = async (bytes: string) => {
    const fields = { hash: sha256(Buffer.from(bytes)), fileName: 'as posted.txt', fileSize: 77 };
    return (await prove(fields)).body.data.proofId as string;
  };
  const before = await named('one');
  const issued = await text(before);
  t.match(issued, /as posted\.txt/);
  t.notMatch(issued, /Revision/);
  await upload({ name: 'as uploaded.txt', bytes: 'one' });
  t.equal(await text(before), issued);

  const after = await named('two');
  const { documentId } = (await upload({ name: 'as uploaded.txt', bytes: 'two' })).body.data;
  t.match(await text(after), /as uploaded\.txt[\s\S]*\b3 bytes/);

  const revision = (await revise(documentId, { name: 'revised.txt', bytes: 'three' })).body.data;
  // A revision with the bytes of a hash posted alone. It has a proof of its own.
  const alone = await named('four');
  await revise(documentId, { name: 'fourth.txt', bytes: 'four' });
  t.match(await text(alone), 'as posted.txt');

  const revised = await text(revision.proofId);
  t.match(revised, 'revised.txt', 'no longer the latest revision');
  t.match(revised, revision.previousTxHash);
});

test('the clear fields of the event contain nothing supplied by a caller or operator', async (t) => {
  const { upload, certificate, service, organisationId } = await startSite(t);
  await service.services.certification.issuer.current();
  const { proofId } = (await upload({ name: 'secret name.txt', bytes: 'x' })).body.data;
  const { bytes } = await certificate(proofId);
  const { rows } = await sql<{ data: string }>`
    SELECT data FROM events
    WHERE type = 'CertificateIssued' AND position > ${service.begun}`.execute(
    service.services.events.db,
  );
  const stored = JSON.parse(rows[0]?.data ?? '{}');
  t.strictSame(Object.keys(stored).sort(), [
    ...['attestation', 'blobKey', 'fileSizeBytes', 'issuedAt', 'issuerKey', 'ledger'],
    ...['logInclusion', 'logSize', 'revision', 'sealed', 'sizeBytes', 'standalone'],
    ...['templateVersion', 'timestamp'],
  ]);
  t.match(stored, { blobKey: new RegExp(`^${organisationId}/`), sizeBytes: bytes.length });
  t.equal(stored.templateVersion, currentTemplate);
  const [event] = await service.store.readLog(0, 100, ['CertificateIssued']);
  t.match(event, {
    stream: `proof-${proofId as ProofId}`,
    meta: { requestId: /./, keyId: /./, actor: 'api' },
    data: { fileName: 'secret name.txt', organisationName: 'Acme', pdfDigest: sha256(bytes) },
  });
  t.equal(event?.type === 'CertificateIssued' && event.data.logSize, (event?.position ?? 0) - 1);
});

test('a caller that hangs up while the certificate is made leaves it issued', async (t) => {
  const { prove, service, key, issued } = await startSite(t);
  const { proofId } = (await prove()).body.data;
  const hangUp = new AbortController();
  const url = `${service.url}/api/v1/certificates/${proofId}`;
  const headers = { authorization: `Bearer ${key}` };
  const { newPdf } = service.services.certification.certificates;
  service.services.certification.certificates.newPdf = (...args) => {
    hangUp.abort();
    return newPdf(...args);
  };
  await t.rejects(fetch(url, { headers, signal: hangUp.signal }));
  const ended = () => service.log.some((line) => line.includes('"aborted":true'));
  await until('the request has ended', async () => ended());
  t.equal((await issued()).length, 1);
  t.notMatch(service.log.join('\n'), /"level":(40|50)/);
});
