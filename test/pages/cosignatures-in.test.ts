import { test } from 'tap';
import { certificateOf } from '../../src/pages/certificate.js';
import { cosignaturesIn } from '../../src/pages/cosignatures-in.js';
import { judgeSteps } from '../../src/pages/judge-steps.js';
import { createCosigner } from '../../src/transparency-log/cosigning/cosigner-key.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { sampleBundle } from '../support/sample-bundle.ts';

/** The sample with these lines after its checkpoint. */
function withLines(...lines: readonly string[]): Bundle {
  const bundle = sampleBundle();
  if (bundle.version !== 3) throw new Error('the sample is of version 3');
  const checkpoint = `${bundle.log.checkpoint}${lines.join('')}`;
  return { ...bundle, log: { ...bundle.log, checkpoint } };
}

const cosign = (name: string, seconds: number) =>
  createCosigner(name, Buffer.alloc(32, 7)).cosign('any text\n', seconds);

test('cosignatures are listed with their times, and nothing of them is believed', async (t) => {
  t.strictSame(cosignaturesIn(sampleBundle()), [], 'the signature of the log is none');
  t.strictSame(cosignaturesIn(sampleBundle({ unlogged: true })), []);
  const bundle = withLines(cosign('witness.example/a', 1_795_000_000), cosign('w\u202eb', 2 ** 50));
  const found = cosignaturesIn(bundle);
  t.strictSame(found, [
    'witness.example/a, 2026-11-18T11:06:40.000Z',
    'w\ufffdb, 9999-12-31T00:00:00.000Z',
  ]);
  t.strictSame(cosignaturesIn(withLines('no line of a note\n')), []);
  const given = { certificate: certificateOf(bundle), isConsistent: true, form: null };
  const facts = { fileHash: null, transactionHash: '', answer: null, commitment: null };
  const steps = judgeSteps({
    ...facts,
    ...{ besides: 'none', isBusy: false },
    given: { ...given, witnesses: found },
  });
  const [witnesses] = steps.filter(({ name }) => name === 'witnesses');
  t.match(witnesses, { status: 'claimed', text: 'witnessesNotChecked', values: { length: 2 } });
});
