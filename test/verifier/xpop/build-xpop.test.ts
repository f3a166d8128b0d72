import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { BadEvidence } from '../../../src/verifier/evidence/bad-evidence.ts';
import { transactionHash } from '../../../src/verifier/evidence/transaction-path.ts';
import { buildXpop, type XpopEvidence } from '../../../src/verifier/xpop/build-xpop.ts';
import { readXpop } from '../../../src/verifier/xpop/read-xpop.ts';
import { verifyXpop } from '../../../src/verifier/xpop/verify-xpop.ts';
import { transactionPath } from '../../support/transaction-path.ts';
import {
  type SampleXpop,
  type StreamName,
  sampleLedger,
  sampleList,
  samplePublisher,
  sampleValidations,
  sampleXpop,
  sampleXpops,
} from '../../support/validated-network.ts';

const streams: readonly StreamName[] = [
  'validations',
  'validations.more',
  'rotation-and-outage',
  'negative-unl',
];

/** Evidence of the transaction of a sample, from the ledger, the streams and the list. */
function evidenceOf({ file, text }: SampleXpop): XpopEvidence {
  const { ledger, transaction } = readXpop(text);
  const { header, items } = sampleLedger(ledger.index);
  const id = bytesToHex(transactionHash(hexToBytes(transaction.blob)));
  const item = items.find(({ blob }) => bytesToHex(transactionHash(blob)) === id);
  if (item === undefined) throw new Error(`the ledger does not contain ${id}`);
  return {
    item,
    path: transactionPath(items, id).path,
    header,
    validations: streams.flatMap((stream) => sampleValidations(stream, ledger.index)),
    list: sampleList(file.includes('new-list') ? 'validator-list.sequence2' : 'validator-list'),
  };
}

const genuine = sampleXpops().filter(
  ({ file, synthetic, expected, change }) =>
    !synthetic && expected === 'accept' && /^valid/.test(file) && !/keyed/.test(change),
);

test('evidence of real ledgers gives the XPOPs that others made', async (t) => {
  t.equal(genuine.length, 18);
  for (const sample of genuine) {
    const theirs = JSON.parse(sample.text);
    const form = Array.isArray(theirs.transaction.proof) ? 'list' : 'tree';
    const ours = buildXpop(evidenceOf(sample), [samplePublisher], form);
    t.strictSame(withoutKeys(ours), withoutKeys(theirs), sample.file);
    t.doesNotThrow(() => verifyXpop(readXpop(JSON.stringify(ours)), [samplePublisher]));
  }
});

/** Keys of a tree's nodes take no part in hashing, and a path does not know those of siblings. */
function withoutKeys(value: unknown): unknown {
  const text = JSON.stringify(value, (name, member) => (name === 'key' ? undefined : member));
  return JSON.parse(text);
}

test('an XPOP is not written without a quorum in its own ledger', async (t) => {
  for (const file of [
    'bad-289-outage-3-validations-list.json',
    'bad-302-after-rotation-old-list-list.json',
    'bad-1026-negative-unl-list.json',
  ]) {
    const evidence = evidenceOf(sampleXpop(file));
    t.throws(() => buildXpop(evidence, [samplePublisher]), BadEvidence, file);
  }
});

test('an XPOP is not written with a path of another ledger', async (t) => {
  const evidence = evidenceOf(sampleXpop('valid-254-1tx-list.json'));
  const { header } = sampleLedger(256);
  t.throws(
    () => buildXpop({ ...evidence, header }, [samplePublisher]),
    /does not lead to ledger 256/,
  );
});
