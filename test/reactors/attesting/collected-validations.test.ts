import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { CollectedValidations } from '../../../src/reactors/attesting/collected-validations.ts';
import { KnownValidators } from '../../../src/reactors/attesting/known-validators.ts';
import { encodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import type { Validation } from '../../../src/verifier/evidence/validation.ts';
import { blobsOf } from '../../../src/verifier/evidence/validator-list.ts';
import {
  laterHeaders,
  type SyntheticKey,
  syntheticKey,
  syntheticNetwork,
  writeHeader,
  writeManifest,
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

/** Random ledgers of an index, each signed by these keys; a key that is named again signs again. */
function lies(signers: readonly SyntheticKey[], index: number, count: number): Validation[] {
  return Array.from({ length: count }, () => bytesToHex(randomBytes(32))).flatMap((hash) =>
    signers.map((signer, place) => {
      const isSecond = signers.indexOf(signer) < place;
      return writeValidation(signer, { index, hash }, isSecond ? { amendments: 7 } : {});
    }),
  );
}

/** A list of `size` validators, and a rotation of the last one's key. */
function listed(size: number) {
  const network = syntheticNetwork(size);
  const { publisherKey } = network;
  const known = new KnownValidators([publisherKey]);
  const published = { network: 'testnet', publisherKey, sequence: 1 } as const;
  known.observe({ type: 'ValidatorListPublished', data: { ...published, ...network.list() } });
  const last = network.validators[size - 1];
  if (last === undefined) throw new Error('a list has validators');
  const rotated = syntheticKey('secp256k1', 'rotated');
  const manifest = encodeBase64(writeManifest(last.master, rotated, 2));
  known.observe({ type: 'ValidatorManifestPublished', data: { network: 'testnet', manifest } });
  const keys = network.validators.map(({ signing }) => signing);
  return { network, keys, rotated, collected: new CollectedValidations(known) };
}

type Liars = (keys: readonly SyntheticKey[], rotated: SyntheticKey) => readonly SyntheticKey[];

const liars: readonly (readonly [name: string, size: number, signers: Liars])[] = [
  ['a listed validator', 5, (keys) => keys.slice(-1)],
  ['one that signs twice', 5, (keys) => [...keys.slice(-1), ...keys.slice(-1)]],
  ['one that signs with two keys', 5, (keys, rotated) => [...keys.slice(-1), rotated]],
  ['a fifth of the validators', 10, (keys) => keys.slice(-2)],
];

for (const [name, size, signersOf] of liars) {
  test(`${name} cannot push out what others sign by signing at random`, (t) => {
    const { network, keys, rotated, collected } = listed(size);
    const signers = signersOf(keys, rotated);
    const honest = size - new Set(signers.filter((key) => key !== rotated)).size;
    const first = writeHeader({ index: 300, closeTime: 848_531_013 });
    for (const header of [first, ...laterHeaders(first, 7)]) {
      for (const validation of network.validations(header, honest)) {
        t.equal(collected.add(validation), 'taken');
        for (const lie of lies(signers, header.index, 80 / honest)) {
          if (collected.add(lie) !== 'taken') t.fail('a lie has a signature that holds');
        }
      }
      t.equal(collected.quorumOf(header)?.validations.size, honest, `ledger ${header.index}`);
    }
    t.equal([...collected.candidates(300, 900)].length, 8);
    t.end();
  });
}
