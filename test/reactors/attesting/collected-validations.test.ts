import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { CollectedValidations } from '../../../src/reactors/attesting/collected-validations.ts';
import { KnownValidators } from '../../../src/reactors/attesting/known-validators.ts';
import { blobsOf } from '../../../src/verifier/evidence/validator-list.ts';
import {
  laterHeaders,
  syntheticNetwork,
  writeHeader,
  writeValidation,
} from '../../support/synthetic-network.ts';
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

test('a listed validator that signs at random does not push out what others sign', (t) => {
  const network = syntheticNetwork(5);
  const known = new KnownValidators([network.publisherKey]);
  const { publisherKey } = network;
  const published = { network: 'testnet', publisherKey, sequence: 1 } as const;
  known.observe({ type: 'ValidatorListPublished', data: { ...published, ...network.list() } });
  const collected = new CollectedValidations(known);
  const liar = network.validators[4]?.signing;
  if (liar === undefined) throw new Error('five validators were made');
  const lie = (index: number, count: number) => {
    for (let nth = 0; nth < count; nth += 1) {
      collected.add(writeValidation(liar, { index, hash: bytesToHex(randomBytes(32)) }));
    }
  };
  const first = writeHeader({ index: 300, closeTime: 848_531_013 });
  const headers = [first, ...laterHeaders(first, 519)];
  for (const header of headers.slice(0, 512)) {
    for (const validation of network.validations(header, 2)) collected.add(validation);
  }
  for (const header of headers.slice(512)) {
    for (const validation of network.validations(header, 4)) {
      collected.add(validation);
      lie(header.index, 10);
    }
    t.equal(collected.quorumOf(header)?.validations.size, 4, `ledger ${header.index}`);
  }
  t.equal([...collected.candidates(300, 900)].length, 8);
  t.end();
});
