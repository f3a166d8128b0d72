import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { nodeKey } from '../../../src/verifier/evidence/base58.ts';
import { decodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { countValidations } from '../../../src/verifier/evidence/count-validations.ts';
import { isSignedManifest, readManifest } from '../../../src/verifier/evidence/manifest.ts';
import { trustedPublishedList } from '../../../src/verifier/evidence/trusted-list.ts';
import { isSignedValidation, readValidation } from '../../../src/verifier/evidence/validation.ts';
import { drawCases } from '../../support/draw-cases.ts';
import {
  type StreamName,
  sampleHeader,
  sampleHeaders,
  sampleList,
  sampleManifests,
  sampleMessages,
  samplePublisher,
  sampleValidations,
} from '../../support/validated-network.ts';

const streams: readonly StreamName[] = [
  'validations',
  'validations.more',
  'validations.api2',
  'rotation-and-outage',
  'negative-unl',
];
const closeTime = sampleHeader(260).closeTime;

test('every validation of a real network is read and signed', async (t) => {
  const received = streams.flatMap((stream) =>
    sampleMessages(stream).filter(({ type }) => type === 'validationReceived'),
  );
  t.equal(received.length, 225);
  for (const message of received) {
    const validation = readValidation(hexToBytes(String(message.data)));
    t.equal(nodeKey(validation.signingKey), message.validation_public_key);
    t.equal(bytesToHex(validation.ledgerHash).toUpperCase(), message.ledger_hash);
    t.equal(String(validation.ledgerIndex), String(message.ledger_index));
    t.equal(validation.signingTime, message.signing_time);
    t.equal(validation.isFull, message.full);
    t.equal(bytesToHex(validation.signature).toUpperCase(), message.signature);
  }
  for (const { data } of drawCases(t, received, () => '', { oneOf: 8 })) {
    t.ok(isSignedValidation(readValidation(hexToBytes(String(data)))));
  }
});

test('every header of a real network has the hash that the server stated', async (t) => {
  for (const { hash, stated } of sampleHeaders()) t.equal(hash.toUpperCase(), stated);
});

test('every manifest of a real network is signed by both keys', async (t) => {
  for (const [name, base64] of sampleManifests()) {
    const manifest = readManifest(decodeBase64(base64, 1_024, name));
    t.ok(isSignedManifest(manifest), name);
  }
  const messages = sampleMessages('manifests');
  t.ok(messages.length > 0);
  for (const { manifest: hex, master_key: masterKey, signing_key: key, seq } of messages) {
    const manifest = readManifest(hexToBytes(String(hex)));
    t.ok(isSignedManifest(manifest));
    t.equal(manifest.sequence, seq);
    t.equal(nodeKey(manifest.masterKey), masterKey);
    t.equal(nodeKey(manifest.signing?.key ?? new Uint8Array()), key);
  }
});

test('a published list is read if it is by the trusted publisher and in force', async (t) => {
  const keys = [samplePublisher];
  const list = trustedPublishedList(sampleList(), closeTime, keys);
  t.equal(list.publisherKey, samplePublisher);
  t.equal(list.sequence, 1);
  t.equal(list.validators.length, 4);
  t.equal(
    trustedPublishedList(sampleList('validator-list.sequence2'), closeTime, keys).sequence,
    2,
  );
  const read = (name: 'expired' | 'other-publisher') => () =>
    trustedPublishedList(sampleList(`validator-list.${name}`), closeTime, keys);
  t.throws(read('expired'), { message: /not in force/ });
  t.throws(read('other-publisher'), { message: /not trusted/ });
});

test('validators of the list are counted as the network counted them', async (t) => {
  const count = (stream: StreamName, index: number, name?: 'validator-list.sequence2') => {
    const list = trustedPublishedList(sampleList(name), closeTime, [samplePublisher]);
    return countValidations(sampleHeader(index), sampleValidations(stream, index), list);
  };
  for (const [stream, index, expected] of [
    ['validations', 255, 4],
    ['validations', 256, 4],
    ['rotation-and-outage', 286, 4],
    ['rotation-and-outage', 289, 3],
    ['rotation-and-outage', 299, 3],
    ['negative-unl', 1026, 2],
  ] as const) {
    const { listed, needed, counted } = count(stream, index);
    t.strictSame(
      { listed, needed, counted: counted.length },
      { listed: 4, needed: 4, counted: expected },
    );
  }
  const rotated = count('rotation-and-outage', 299, 'validator-list.sequence2');
  t.equal(rotated.counted.length, 4, 'the newer list has the newer key');
  t.equal(count('negative-unl', 1026, 'validator-list.sequence2').counted.length, 3);
});

test('a newer manifest than that of the list replaces the key', async (t) => {
  const list = trustedPublishedList(sampleList(), closeTime, [samplePublisher]);
  const newer = sampleMessages('manifests').map(({ manifest }) =>
    readManifest(hexToBytes(String(manifest))),
  );
  const count = (index: number) =>
    countValidations(sampleHeader(index), sampleValidations('rotation-and-outage', index), list, {
      newerManifests: newer,
    }).counted.length;
  t.equal(count(299), 4);
  t.equal(count(286), 3, 'the replaced key does not count any more');
});
