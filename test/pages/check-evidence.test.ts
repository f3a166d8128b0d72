import { test } from 'tap';
import { checkEvidence } from '../../src/pages/check-evidence.js';
import { createCosigner } from '../../src/transparency-log/cosigning/cosigner.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { issuedBy, signedBundle } from '../support/issued-pdf.ts';
import { sampleLogSigner, sampleText } from '../support/sample-bundle.ts';
import { falsely, mirror, signedWith } from '../support/vectors/other-log-vectors.ts';
import { otherLogKey, policyOf, resealed, witnesses } from '../support/vectors/vector-bases.ts';

const bundle = readBundle(signedBundle());
const published = {
  log: [sampleLogSigner.vkey],
  issuer: [{ key: issuedBy.vkey, compromisedSince: null }],
};
const statusOf = (name: string, ...given: [string, typeof published]) =>
  checkEvidence(bundle, given[0], null, given[1]).steps.find((step) => step.name === name);

test('keys that this service publishes verify log and issuer on its word', async (t) => {
  const nobody = { log: [], issuer: [] };
  for (const [name, unknown, stated, known] of [
    ['logCheckpoint', 'logKeyUnknown', 'logSignedStated', 'logSignedKnown'],
    ['issuer', 'issuerUnknown', 'issuerSignedStated', 'issuerSigned'],
  ] as const) {
    t.match(statusOf(name, '', nobody), { status: 'notChecked', text: unknown });
    t.match(statusOf(name, '', published), { status: 'stated', text: stated });
    const entered = `${sampleLogSigner.vkey}\n${issuedBy.vkey}`;
    t.match(statusOf(name, entered, published), { status: 'ok', text: known });
  }
  t.match(
    statusOf('logCheckpoint', '', { ...published, log: [otherLogKey.vkey] }),
    { status: 'notChecked', text: 'logKeyUnknown' },
    'a page may be older than the key of the log',
  );
  t.match(statusOf('logCheckpoint', '', { log: ['no key'], issuer: [] }), { status: 'notChecked' });
});

test('signatures and keys of other logs neither help nor harm a checkpoint', async (t) => {
  const log = sampleLogSigner;
  const judged = (signers: (typeof log)[], ...known: readonly (typeof log)[]) => {
    const entered = known.map(({ vkey }) => vkey).join('\n');
    const { steps } = checkEvidence(readBundle(signedWith(signers)), entered);
    return steps.find(({ name }) => name === 'logCheckpoint');
  };
  t.match(judged([log, mirror], log, mirror), { status: 'ok', text: 'logSignedKnown' });
  t.match(judged([log, falsely(mirror)], log, mirror), { status: 'ok' });
  t.match(judged([log, mirror], mirror), { status: 'notChecked', text: 'logKeyUnknown' });
  t.match(judged([falsely(log), mirror], log, mirror), { status: 'failed', text: 'logForged' });
  for (const known of [[log, mirror], [mirror]]) {
    t.match(judged([mirror], ...known), { status: 'failed', text: 'logUnsignedByLog' });
  }
  t.match(judged([mirror]), { status: 'notChecked', text: 'logKeyUnknown' });
});

test('a certificate fails under a policy that ops verify refuses', async (t) => {
  const quorumOf = (entered: string, of = bundle) =>
    checkEvidence(of, entered)
      .steps.filter(({ name }) => name === 'logQuorum')
      .map(({ status, text }) => [status, text]);
  const wrong = [['failed', 'logPolicyWrong']];
  const [vkey] = published.log;
  for (const policy of [
    `${vkey}\nquorum nobody`,
    policyOf(1).replace(/quorum.*/, ''),
    policyOf(4),
    policyOf(1, `log ${vkey}\nlog ${vkey}\n`),
    `log ${vkey}\ngroup g any north`,
    'quorum',
  ]) {
    t.strictSame(quorumOf(policy), wrong, policy);
    t.strictSame(quorumOf(policy, readBundle(sampleText({ unlogged: true }))), wrong);
  }
  const { steps } = checkEvidence(bundle, 'quorum nobody');
  const step = steps.find(({ name }) => name === 'logQuorum');
  t.match(step, { with: { mistake: 'line 1: nobody is not defined on an earlier line' } });
  for (const keys of [
    '',
    `log ${vkey}`,
    `${vkey}\n${issuedBy.vkey}`,
    witnesses[0]?.cosigner.vkey ?? '',
  ]) {
    t.strictSame(quorumOf(keys), [], 'keys alone are no policy');
  }
  t.strictSame(quorumOf(policyOf(1)), [['failed', 'logQuorumEmpty']]);
});

test('a cosignature under the name of the log is no signature of the log', async (t) => {
  const cosigner = createCosigner(sampleLogSigner.name, Buffer.alloc(32, 85));
  if (bundle.version === 1) throw new Error('no log');
  const { checkpoint } = bundle.log;
  const [body = ''] = checkpoint.split('\n\n');
  const cosigned = resealed(sampleText(), ({ log }) => {
    log.checkpoint = checkpoint + cosigner.cosign(`${body}\n`, 1_795_200_000);
  });
  const { steps } = checkEvidence(readBundle(cosigned), cosigner.vkey);
  t.match(
    steps.find(({ name }) => name === 'logCheckpoint'),
    { text: 'logKeyUnknown' },
  );
  t.match(
    steps.find(({ name }) => name === 'logWitness'),
    { text: 'logWitnessValid' },
  );
});
