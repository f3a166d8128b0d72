import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { buildBundle, shareBundle } from '../../src/certificates/build-bundle.ts';
import { bundle } from '../../src/verifier/bundle/bundle.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { isSignedBy } from '../support/issuer-signature.ts';
import { jsonSchema } from '../support/json-schema.ts';
import {
  sampleAttested,
  sampleBundle,
  sampleIssuerSigner,
  sampleProof,
  sampleSigned,
  sampleStamped,
  sampleText,
} from '../support/sample-bundle.ts';

const root = join(import.meta.dirname, '../..');
const sample = (name: string) =>
  readFileSync(join(import.meta.dirname, 'samples/bundle', name), 'utf8');
const first = sample('bundle.json');
const second = sample('bundle-2.json');
const stored = sample('bundle-3.json');
const fourth = sample('bundle-4.json');
const fifth = sample('bundle-5.json');
const sixth = sample('bundle-6.json');

test('the same proof always gives the same bundle bytes', async (t) => {
  t.equal(sampleText({ unlogged: true }), first, 'a proof issued before the log was published');
  t.equal(sampleText({ version: 2 }), second, 'a proof issued by release 0.1.0');
  t.equal(sampleText(), stored);
  t.equal(sampleText({ attested: sampleAttested }), fourth);
  t.equal(sampleText(sampleStamped), fifth);
  t.equal(sampleText(sampleSigned), sixth);
  const { content, evidence } = sampleProof();
  const reversed = Object.fromEntries(Object.entries(content).reverse()) as typeof content;
  t.equal(buildBundle(reversed, { ...evidence }), stored, 'members in another order');
});

test('a bundle holds everything that its certificate shows and the ledger holds', async (t) => {
  const { content, evidence } = sampleProof();
  for (const value of Object.values({ ...content, ...evidence, ...evidence.memo })) {
    if (typeof value === 'object') continue;
    t.ok(stored.includes(JSON.stringify(value)), `${value}`);
  }
});

test('the form for sharing lacks only the nonce', async (t) => {
  const whole = sampleBundle();
  const shared = shareBundle(whole);
  const { checksum: _, ...rest } = readBundle(shared);
  const { checksum: __, ...expected } = whole;
  t.strictSame(rest, { ...expected, commitment: { ...expected.commitment, nonce: null } });
  t.notOk(shared.includes(whole.commitment.nonce ?? ''));
  t.equal(shareBundle(readBundle(shared)), shared, 'sharing a shared bundle changes nothing');
  const plain = { hashScheme: 'sha256-plain-v1' } as const;
  t.equal(shareBundle(sampleBundle(plain)), sampleText(plain), 'a plain proof has no nonce');
});

test('the signature of the issuer holds for the bundle and its form for sharing, and nothing else', async (t) => {
  const { vkey } = sampleIssuerSigner;
  t.ok(isSignedBy(sixth, vkey));
  const shared = shareBundle(readBundle(sixth));
  t.ok(isSignedBy(shared, vkey));
  t.equal(JSON.parse(shared).issuer.note, JSON.parse(sixth).issuer.note);
  t.notOk(isSignedBy(sixth.replace('Archive', 'Archives'), vkey));
  const plain = sampleText({ signed: true, hashScheme: 'sha256-plain-v1' });
  t.ok(isSignedBy(plain, vkey), 'without a nonce, token or signatures of validators');
  t.match(JSON.parse(plain), { version: 6, attestation: null, timestamp: null });
});

test('without the name of the file, the form for sharing has no signature that would not hold', async (t) => {
  for (const [options, version] of [
    [sampleStamped, 5],
    [{ attested: sampleAttested }, 4],
    [{}, 3],
  ] as const) {
    const whole = readBundle(sampleText({ signed: true, ...options }));
    const shared = readBundle(shareBundle(whole, { withFileName: false }));
    t.match(shared, { version, file: { fileName: null }, commitment: { nonce: null } });
    t.notOk('issuer' in shared);
  }
});

test('a file without a name keeps the signature in the form for sharing', async (t) => {
  const { vkey } = sampleIssuerSigner;
  const whole = readBundle(sampleText({ signed: true, change: { fileName: null } }));
  const shared = shareBundle(whole, { withFileName: false });
  t.ok(isSignedBy(shared, vkey));
  t.equal(shared, shareBundle(whole), 'there is no name to leave out');
});

test('refuses to build a bundle that could not be read again', async (t) => {
  const { content, evidence } = sampleProof();
  t.throws(() => buildBundle({ ...content, commitment: null }, evidence));
  t.throws(() => buildBundle(content, { ...evidence, blob: evidence.blob.toLowerCase() }));
  t.throws(() => buildBundle({ ...content, fileName: 'lone \ud800' }, evidence));
});

test('the published JSON schema equals the schema in the code', async (t) => {
  const published = readFileSync(join(root, 'src/certificates/bundle-schema.json'), 'utf8');
  t.strictSame(
    JSON.parse(published),
    jsonSchema(bundle, 'Proofmark proof bundle, versions 1 to 6'),
  );
});
