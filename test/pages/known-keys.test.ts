import { test } from 'tap';
import { readKnownKeys } from '../../src/pages/known-keys.js';
import { quorumStep } from '../../src/pages/quorum-step.js';
import { findCosignatures } from '../../src/verifier/log/find-cosignatures.ts';
import { parsePolicy } from '../../src/verifier/log/policy.ts';
import { sampleLogSigner } from '../support/sample-bundle.ts';
import { noteFor, policyOf, witnesses } from '../support/vectors/vector-bases.ts';

const note = noteFor({ size: 3, root: Buffer.alloc(32, 9) });
const text = note.slice(0, note.indexOf('\n\n') + 1);
const by = (...numbers: readonly number[]) =>
  note + numbers.map((n) => witnesses[n]?.cosigner.cosign(text, 1_795_000_000)).join('');

/** Results of the page and of `ops verify`. */
function judged(written: string, policy: string) {
  const { policy: known } = readKnownKeys(policy);
  if (known === null) throw new Error('no policy');
  const step = quorumStep(written, known);
  return { step, hasQuorum: findCosignatures(written, parsePolicy(policy))?.hasQuorum };
}

test('the quorum of a policy is the one that ops verify finds', async (t) => {
  const forged = by(0).replace(/.{8}\n$/, 'AAAAAAA=\n');
  for (const written of [note, by(0), by(1, 2), by(0, 1, 2), forged]) {
    for (const least of [1, 2, 3, 'any', 'all']) {
      const { step, hasQuorum } = judged(written, policyOf(least));
      t.equal(step.status === 'ok', hasQuorum, `${least}: ${step.text}`);
    }
  }
  t.match(judged(by(0), policyOf(2)).step, {
    status: 'failed',
    text: 'logQuorumMissed',
    with: { witnesses: 'north', count: 1, all: 3 },
  });
  t.match(judged(note, policyOf(1)).step, { status: 'failed', text: 'logQuorumEmpty' });
  t.match(judged(note, 'quorum none').step, { status: 'none' });
});

test('keys may stand beside a policy, whose mistakes name their line', async (t) => {
  const beside = readKnownKeys(`${sampleLogSigner.vkey}\n${policyOf(1)}`);
  t.match(beside, { wrong: null, mistake: null, policy: { witnesses: { length: 3 } } });
  t.equal(beside.keys.length, 4);
  const noQuorum = { policy: null, mistake: 'it has no line: quorum NAME' };
  for (const kept of [/^witness/, /^group|^witness/]) {
    const lines = policyOf(1)
      .split('\n')
      .filter((line) => kept.test(line));
    t.match(readKnownKeys(lines.join('\n')), noQuorum);
  }
  t.match(readKnownKeys(`log ${sampleLogSigner.vkey}\nquorum`), {
    policy: null,
    mistake: /line 2/,
  });
  t.match(readKnownKeys('quorum nobody'), { policy: null, mistake: /^line 1: nobody/ });
  const keyOnly = readKnownKeys(sampleLogSigner.vkey);
  t.match(keyOnly, { policy: null, mistake: null, wrong: null });
  const [witness] = witnesses;
  const keysOnly = readKnownKeys(`log ${sampleLogSigner.vkey}\n${witness?.cosigner.vkey}`);
  t.match(keysOnly, { policy: null, mistake: null, wrong: null, keys: { length: 2 } });
  t.equal(readKnownKeys('nonsense').wrong, 1);
});
