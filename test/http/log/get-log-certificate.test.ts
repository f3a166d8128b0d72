import { createHash } from 'node:crypto';
import tap, { type Test, test } from 'tap';
import { createIssuerKeys } from '../../../src/issuer/issuer-keys.ts';
import { rotateIssuerKey } from '../../../src/issuer/rotate-issuer-key.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { download } from '../../support/download.ts';
import { sha256 } from '../../support/forms.ts';
import { isSignedBy } from '../../support/issuer-signature.ts';
import { sharedRenderer } from '../../support/shared-renderer.ts';
import { sigstoreAccepts } from '../../support/sigstore-verifier.ts';

const { newMaker } = sharedRenderer(tap);

async function startSite(t: Test) {
  const site = await startDocumentService(t, {
    services: { certification: { certificates: newMaker() } },
  });
  const certify = async () => {
    const { proofId } = (await site.upload()).body.data;
    const fetched = (path: string) => download(`${site.service.url}/api/v1${path}`, site.key);
    const pdf = (await fetched(`/certificates/${proofId}`)).bytes;
    const bundle = (await fetched(`/proofs/${proofId}/bundle`)).bytes.toString();
    return { proofId, pdf, bundle };
  };
  const find = (digest: string) => site.service.call('GET', `/log/certificates/${digest}`);
  const keys = async () => (await site.service.call('GET', '/issuer-keys')).body.data;
  return { ...site, certify, find, keys };
}

const canonical = (value: object) =>
  JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));

test('anybody who has a certificate learns from public data alone that it was issued here', async (t) => {
  const { service, certify, find } = await startSite(t);
  const { pdf } = await certify();
  const digest = sha256(pdf);
  t.match(await find(digest), { status: 409, body: { code: 'CHECKPOINT_PENDING' } });
  await service.publish();
  const { status, body, text } = await find(digest);
  t.equal(status, 200, text);
  const { data } = body;
  t.equal(data.event.dataHash, createHash('sha256').update(`{"sha256":"${digest}"}`).digest('hex'));
  t.equal(data.event.stream, `certificate-${digest}`);
  t.equal(data.event.organisationId, null, 'names no organisation');
  const record = Buffer.from(canonical(data.event));
  const entry = {
    ...{ record, index: data.leafIndex, note: data.checkpoint, vkey: data.logKeys[0] },
    proof: data.hashes.map((hex: string) => Buffer.from(hex, 'hex')),
  };
  t.ok(sigstoreAccepts(entry));
  t.equal(data.checkpoint, (await service.call('GET', '/log/checkpoint')).text);
  const leaf = await service.call('GET', `/log/leaves/${data.leafIndex}`);
  t.equal(leaf.body.data.leafHash, data.leafHash);

  const altered = Buffer.concat([pdf, Buffer.from('\n')]);
  t.match(await find(sha256(altered)), { status: 404, body: { code: 'CERTIFICATE_NOT_FOUND' } });
  for (const wrong of ['x', digest.toUpperCase(), `${digest}0`]) {
    t.match(await find(wrong), { status: 400, body: { code: 'INVALID_HASH' } });
  }
});

test('certificates of a replaced key still verify, and the list of keys says when', async (t) => {
  const { service, certify, keys, find } = await startSite(t);
  const { store, keyring } = service;
  const before = await certify();
  const [only] = await keys();
  t.match(only, { state: 'current', until: null, retired: null, compromised: null });
  t.ok(isSignedBy(before.bundle, only.key));

  const since = '2026-11-23T00:00:00.000Z';
  const rotated = await rotateIssuerKey({ store, keyring }, since, { actor: 'operator' });
  const after = await certify();
  await service.publish();
  const [now, old] = await keys();
  t.match(now, { key: rotated.published, state: 'current' });
  t.match(old, { key: only.key, state: 'compromised', compromisedSince: since });
  t.equal(old.until, now.from);
  t.ok(isSignedBy(after.bundle, now.key));
  t.notOk(isSignedBy(after.bundle, old.key));
  t.ok(isSignedBy(before.bundle, old.key));
  const leafOf = async (pdf: Buffer) => (await find(sha256(pdf))).body.data.leafIndex;
  t.ok((await leafOf(before.pdf)) < old.retired.leafIndex, 'recorded while the key was good');
  t.ok((await leafOf(after.pdf)) > old.retired.leafIndex);

  const hashed = (data: object) => sha256(Buffer.from(canonical(data)));
  t.equal(now.published.event.dataHash, hashed({ key: now.key }));
  t.equal(old.retired.event.dataHash, hashed({ key: old.key }));
  t.equal(old.compromised.event.dataHash, hashed({ key: old.key, since }));
  for (const { leafIndex, event } of [now.published, old.published, old.retired, old.compromised]) {
    const record = Buffer.concat([Buffer.of(0), Buffer.from(canonical(event))]);
    const leaf = await service.call('GET', `/log/leaves/${leafIndex}`);
    t.equal(leaf.body.data.leafHash, sha256(record));
  }
});

test('keys to pin include replaced ones, but none that somebody else may have', async (t) => {
  const { service } = await startSite(t);
  const { store, keyring } = service;
  const pinned = async () => (await service.call('GET', '/docs')).body.data.issuerKeys;
  const rotate = async (since: string | null) =>
    (await rotateIssuerKey({ store, keyring }, since, { actor: 'operator' })).published;
  const { key: first } = await createIssuerKeys(service).current();
  const second = await rotate(null);
  t.strictSame(await pinned(), [second, first], 'the first key verifies what it has signed');
  const third = await rotate('2026-11-23T00:00:00.000Z');
  t.strictSame(await pinned(), [third, first]);
});

test('the first page shows the keys of the issuer', async (t) => {
  const { service } = await startSite(t);
  const { key } = await createIssuerKeys(service).current();
  const page = await (await fetch(`${service.url}/`, { headers: { accept: 'text/html' } })).text();
  t.match(page, key);
  t.match(
    page,
    /has signed certificates since <time datetime="\d{4}-\d\d-\d\d">\d{1,2} [A-Z][a-z]+ \d{4}</,
  );
});
