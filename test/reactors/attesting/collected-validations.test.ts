import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { CollectedValidations } from '../../../src/reactors/attesting/collected-validations.ts';
import { KnownValidators } from '../../../src/reactors/attesting/known-validators.ts';
import { blobsOf } from '../../../src/verifier/evidence/validator-list.ts';
import {
  sampleHeader,
  sampleList,
  samplePublisher,
  sampleValidations,
} from '../../support/validated-network.ts';

function collecting(): CollectedValidations {
  const known = new KnownValidators([samplePublisher]);
  const [blob] = blobsOf(sampleList());
  if (blob === undefined) throw new Error('the sample list is empty');
  const published = { network: 'testnet', publisherKey: samplePublisher, sequence: 1 } as const;
  known.observe({ type: 'ValidatorListPublished', data: { ...published, ...blob } });
  return new CollectedValidations(known);
}

test('unsigned validations neither push signed ones out nor change their ledger', (t) => {
  const collected = collecting();
  const header = sampleHeader(250);
  const validations = sampleValidations('validations', 250);
  const [first] = validations;
  if (first === undefined) throw new Error('the sample has no validations');
  collected.add({ ...first, ledgerIndex: 7, signingTime: 0, signedBytes: [randomBytes(9)] });
  for (const validation of validations) t.ok(collected.add(validation));
  for (let count = 0; count < 600; count += 1)
    collected.add({ ...first, ledgerHash: randomBytes(32), signedBytes: [randomBytes(9)] });
  t.equal(collected.quorumOf(header)?.validations.size, 4);
  const candidates = [...collected.candidates(1, Number.POSITIVE_INFINITY)];
  t.strictSame(candidates, [{ index: 250, hash: bytesToHex(first.ledgerHash) }]);
  t.end();
});
