import { test } from 'tap';
import { issuerSteps } from '../../src/pages/judge-issuer.js';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../src/transparency-log/checkpoint/signed-note.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { issuedText } from '../../src/verifier/bundle/issued-text.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { isConsistent } from '../../src/verifier/check/is-consistent.ts';
import { type ReadKey, readNoteKey } from '../../src/verifier/log/note-key.ts';
import { sampleBundle, sampleLogSigner, sampleText } from '../support/sample-bundle.ts';
import { sealed } from '../support/vectors/vector-bases.ts';

const name = `${sampleLogSigner.name}/issuer`;
const signer = noteSigner(name, Buffer.alloc(32, 70));
const keyOf = ({ vkey }: { vkey: string }) => readNoteKey(vkey) as ReadKey;
const { checksum: _, ...sample } = JSON.parse(sampleText());
const draft = { ...sample, version: 6, attestation: null, timestamp: null };
const signedBy = (note: string): Bundle => readBundle(sealed({ ...draft, issuer: { note } }));
const genuine = signedBy(signNote(issuedText(draft), [signer]));

test('a certificate states its issuer only under a key that the reader knows', async (t) => {
  const judged = (bundle: Bundle, ...keys: readonly ReadKey[]) =>
    issuerSteps(bundle, keys).map(({ status, text }) => [status, text]);
  t.strictSame(judged(sampleBundle()), [], 'earlier versions have no signature');
  t.strictSame(judged(genuine, keyOf(signer)), [['ok', 'issuerSigned']]);
  const other = noteSigner(name, Buffer.alloc(32, 71));
  t.strictSame(judged(genuine), [['notChecked', 'issuerUnknown']]);
  t.strictSame(judged(genuine, keyOf(other)), [['notChecked', 'issuerUnknown']]);
  const [step] = issuerSteps(genuine, [keyOf(signer)]);
  t.strictSame(step?.values, [
    { name: 'issuerKey', value: signer.vkey.split('+').slice(0, 2).join('+') },
  ]);
});

test('a key that this service publishes states the issuer on its word, and never more', async (t) => {
  const published = { key: keyOf(signer), compromisedSince: null };
  const judged = (...given: Parameters<typeof issuerSteps>) =>
    issuerSteps(...given).map(({ status, text }) => [status, text]);
  t.strictSame(judged(genuine, [], [published]), [['stated', 'issuerSignedStated']]);
  const [step] = issuerSteps(genuine, [], [published]);
  t.match(step?.values, [{ name: 'issuerKey' }]);
  t.strictSame(judged(genuine, [keyOf(signer)], [published]), [['ok', 'issuerSigned']]);
  const other = keyOf(noteSigner(name, Buffer.alloc(32, 71)));
  t.strictSame(
    judged(genuine, [other], [published]),
    [['notChecked', 'issuerUnknown']],
    'not beside keys of the same issuer that the reader knows',
  );
  t.strictSame(
    judged(genuine, [keyOf(sampleLogSigner)], [published]),
    [['stated', 'issuerSignedStated']],
    'keys of somebody else change nothing',
  );
  const stolen = { ...published, compromisedSince: '2026-11-01T00:00:00.000Z' };
  t.match(issuerSteps(genuine, [], [stolen]), [
    { status: 'notChecked', text: 'issuerCompromised', with: { time: stolen.compromisedSince } },
  ]);
  const bytes = Buffer.concat([signer.keyId, Buffer.alloc(64, 1)]).toString('base64');
  const forged = signedBy(`${issuedText(draft)}\n— ${name} ${bytes}\n`);
  t.strictSame(judged(forged, [], [published]), [['failed', 'issuerForged']]);
});

test('a signature that is forged, malformed or of another certificate fails', async (t) => {
  const bytes = Buffer.concat([signer.keyId, Buffer.alloc(64, 1)]).toString('base64');
  const rows: readonly [string, string, boolean][] = [
    [`${issuedText(draft)}\n— ${name} ${bytes}\n`, 'issuerForged', true],
    ['', 'issuerMalformed', false],
    [signNote(issuedText(draft), [sampleLogSigner]), 'issuerMalformed', false],
    [signNote(`proofmark/bundle\n${'0'.repeat(64)}\n`, [signer]), 'issuerAltered', false],
  ];
  for (const [note, text, consistent] of rows) {
    const bundle = signedBy(note);
    t.match(issuerSteps(bundle, [keyOf(signer)]), [{ status: 'failed', text }]);
    t.equal(isConsistent(bundle), consistent, `${text} shows without a key or not`);
  }
  t.ok(isConsistent(genuine));
});
