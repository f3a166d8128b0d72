import { test } from 'tap';
import { issuedSteps } from '../../src/pages/judge-issued.js';
import { signNote } from '../../src/transparency-log/checkpoint/signed-note.ts';
import { createCosigner } from '../../src/transparency-log/cosigning/cosigner.ts';
import { type ReadKey, readNoteKey } from '../../src/verifier/log/note-key.ts';
import { pdfOf, recordOf, signedBundle } from '../support/issued-pdf.ts';
import { sampleLogSigner } from '../support/sample-bundle.ts';
import { mirror } from '../support/vectors/other-log-vectors.ts';
import { origin, otherLogKey, sha256 } from '../support/vectors/vector-bases.ts';

const bytes = pdfOf(signedBundle());
const pdf = sha256(bytes).toString('hex');
const logKey = readNoteKey(sampleLogSigner.vkey) as ReadKey;
const otherKey = readNoteKey(otherLogKey.vkey) as ReadKey;
const mirrorKey = readNoteKey(mirror.vkey) as ReadKey;

type Answer = NonNullable<Parameters<typeof issuedSteps>[0]>['answer'];
const judged = (answer: Answer, ...keys: readonly ReadKey[]) =>
  issuedSteps({ pdf, answer }, keys).map(({ name, status, text }) => [name, status, text]);
const recorded = (data: unknown): Answer => ({ found: 'yes', data });

test('a PDF is the issued one only under a log key that the reader knows', async (t) => {
  const { data } = recordOf(bytes);
  t.strictSame(issuedSteps(null, [logKey]), [], 'nothing but a recorded PDF has a step');
  t.strictSame(judged(recorded(data), logKey), [['issued', 'ok', 'issuedRecorded']]);
  t.match(issuedSteps({ pdf, answer: recorded(data) }, [logKey]), [
    { with: { position: 2, size: 2 }, values: [{ name: 'pdfHash', value: pdf }] },
  ]);
  for (const keys of [[], [mirrorKey]]) {
    t.strictSame(judged(recorded(data), ...keys), [['issued', 'stated', 'issuedStated']]);
  }
});

test('a record without a signature of a log that the reader knows fails', async (t) => {
  const { data } = recordOf(bytes);
  const unsigned = [['issued', 'failed', 'issuedUnsigned']];
  t.strictSame(judged(recorded(data), otherKey), unsigned, 'another key of this name');
  const [body = ''] = data.checkpoint.split('\n\n');
  const signedBy = (...signers: readonly (typeof mirror)[]) =>
    recorded({ ...data, checkpoint: signNote(`${body}\n`, signers) });
  t.strictSame(judged(signedBy(otherLogKey), logKey), unsigned, 'a fresh key of this name');
  for (const keys of [[logKey], [mirrorKey], [logKey, mirrorKey]]) {
    t.strictSame(judged(signedBy(mirror), ...keys), unsigned, 'signed by another log only');
  }
  for (const other of [otherLogKey, mirror]) {
    const both = judged(signedBy(other, sampleLogSigner), logKey, mirrorKey);
    t.strictSame(both, [['issued', 'ok', 'issuedRecorded']]);
  }
  const witness = readNoteKey(createCosigner(origin, Buffer.alloc(32, 85)).vkey) as ReadKey;
  t.strictSame(
    judged(recorded(data), witness),
    [['issued', 'stated', 'issuedStated']],
    'a witness with the name of the log is no log',
  );
});

test('a key that this service publishes confirms a record on its word, and never more', async (t) => {
  const { data } = recordOf(bytes);
  const judgedBy = (known: readonly ReadKey[], published: readonly ReadKey[], record = data) =>
    issuedSteps({ pdf, answer: recorded(record) }, known, published).map(({ status, text }) => [
      status,
      text,
    ]);
  t.strictSame(judgedBy([], [logKey]), [['stated', 'issuedRecordedStated']]);
  t.strictSame(judgedBy([logKey], [logKey]), [['ok', 'issuedRecorded']]);
  t.strictSame(judgedBy([], [otherKey]), [['stated', 'issuedStated']]);
  const forged = data.checkpoint.replace(/.{6}=\n$/, 'AAAAA=\n');
  const line = Buffer.concat([Buffer.from(sampleLogSigner.keyId), Buffer.alloc(64, 1)]);
  const unsigned = data.checkpoint.replace(/ \S+\n$/, ` ${line.toString('base64')}\n`);
  for (const checkpoint of [forged, unsigned]) {
    t.strictSame(judgedBy([], [logKey], { ...data, checkpoint }), [['failed', 'issuedBroken']]);
  }
});

test('a service that knows no such bytes disproves a PDF, and its silence does not', async (t) => {
  t.strictSame(judged({ found: 'absent' }, logKey), [['issued', 'failed', 'issuedAbsent']]);
  const silent: readonly [Answer, string][] = [
    [{ found: 'elsewhere', host: 'other.example' }, 'issuedElsewhere'],
    [{ found: 'pending' }, 'issuedPending'],
    [{ found: 'limited', seconds: 3 }, 'issuedNotAsked'],
    [{ found: 'paused', seconds: 3 }, 'issuedNotAsked'],
    [{ found: 'unreachable' }, 'issuedNotAsked'],
    [{ found: 'strange' }, 'issuedNotAsked'],
  ];
  for (const [answer, text] of silent) {
    t.strictSame(judged(answer, logKey), [['issued', 'notChecked', text]]);
  }
});

test('a record that the log does not hold is no record', async (t) => {
  const { data } = recordOf(bytes);
  for (const wrong of [
    ...['{}', 5, [], {}, { ...data, hashes: 'none' }, { ...data, checkpoint: '' }],
    recordOf(pdfOf(signedBundle(), 'other')).data,
    { ...data, leafIndex: 0 },
    { ...data, event: { ...data.event, metaHash: '0'.repeat(64) } },
    { ...data, checkpoint: data.checkpoint.replace(/.{6}=\n$/, 'AAAAA=\n') },
  ]) {
    const reason = JSON.stringify(wrong);
    t.strictSame(judged(recorded(wrong), logKey), [['issued', 'failed', 'issuedBroken']], reason);
  }
});
