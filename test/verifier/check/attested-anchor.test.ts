import { test } from 'tap';
import { certificateOf } from '../../../src/pages/certificate.js';
import { combineAnswers } from '../../../src/pages/combine-answers.js';
import { judge } from '../../../src/pages/judge.js';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import { attestedAnchor } from '../../../src/verifier/check/attested-anchor.ts';
import { sampleBundle, sampleFileHash } from '../../support/sample-bundle.ts';
import { syntheticNetwork } from '../../support/synthetic-network.ts';

const network = syntheticNetwork(5);
const publisher = { name: 'vl.example', network: 'mainnet', key: network.publisherKey } as const;
const bundle = sampleBundle({ attested: { network } });

function changed(change: (copy: Bundle) => unknown): Bundle {
  const copy = structuredClone(bundle);
  change(copy);
  return copy;
}

/** Changes a member that types protect. */
function set(section: object, name: string, value: unknown): void {
  Object.assign(section, { [name]: value });
}

test("validators' signatures show the anchor of a bundle", async (t) => {
  t.strictSame(attestedAnchor(bundle, [publisher]), {
    publisher: 'vl.example',
    listSequence: 1,
    listed: 5,
    counted: 4,
  });
});

test('an anchor is not shown by publishers of no account, or of another network', async (t) => {
  t.equal(attestedAnchor(bundle), null, 'a publisher that is not well known');
  t.equal(attestedAnchor(bundle, []), null);
  t.equal(attestedAnchor(bundle, [{ ...publisher, network: 'testnet' }]), null);
  t.equal(attestedAnchor(sampleBundle(), [publisher]), null, 'an earlier version');
});

test('an anchor is not shown if the bundle states anything else', async (t) => {
  const others = [
    changed(({ anchor }) => set(anchor, 'standalone', true)),
    changed(({ anchor }) => set(anchor, 'network', 'testnet')),
    changed(({ anchor }) => set(anchor, 'account', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')),
    changed(({ evidence }) => set(evidence.memo, 'data', '{}')),
    changed(({ evidence }) => set(evidence, 'blob', `${evidence.blob}00`)),
    changed(({ evidence }) => set(evidence, 'blob', '1200')),
    changed(({ evidence }) =>
      set(evidence, 'metadata', evidence.metadata.replace(/031000$/, '031080')),
    ),
  ];
  for (const [place, other] of others.entries()) {
    t.equal(attestedAnchor(other, [publisher]), null, String(place));
  }
});

test('a page proves a file by validators if the service gives no answer', async (t) => {
  const certificate = certificateOf(bundle);
  const validators = attestedAnchor(bundle, [publisher]);
  const given = { certificate, isConsistent: true, validators, form: 'json' } as const;
  const unreachable = { found: 'unreachable' } as const;
  const validatorsAnswer = (of: typeof given | null) => combineAnswers(unreachable, of, null);
  const judged = (answer: ReturnType<typeof combineAnswers>) =>
    judge({
      ...{ fileHash: sampleFileHash, given, transactionHash: certificate.transactionHash, answer },
      ...{ commitment: certificate.commitment, besides: 'none', isBusy: false },
    });
  const { kind, steps } = judged(validatorsAnswer(given));
  t.equal(kind, 'proven');
  const texts = steps.map(({ text }) => text);
  t.ok(texts.includes('signedByValidators') && texts.includes('accountIsShown'), texts.join());
  t.equal(judged(unreachable).kind, 'unknown');
  t.equal(combineAnswers(unreachable, { ...given, isConsistent: false }, null), unreachable);
  t.equal(combineAnswers(unreachable, { ...given, validators: null }, null), unreachable);
  t.equal(combineAnswers(unreachable, null, null), unreachable);
});
