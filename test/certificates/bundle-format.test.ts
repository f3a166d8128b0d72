import { test } from 'tap';
import { ECDSA, Wallet } from 'xrpl';
import { hashSchemes } from '../../src/domain/proof/hash-scheme.ts';
import { bundleChecksum } from '../../src/verifier/bundle/bundle-checksum.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import type { CollectedEvidence } from '../../src/verifier/bundle/write-attestation.ts';
import {
  checkAttestation,
  isProvenByValidators,
} from '../../src/verifier/check/check-attestation.ts';
import { checkTimestamp } from '../../src/verifier/check/check-timestamp.ts';
import {
  sampleAttested,
  sampleFileHash,
  sampleLogKey,
  sampleStamped,
  sampleStampedAlone,
  sampleText,
} from '../support/sample-bundle.ts';
import { strangersDoubts } from '../support/stranger.ts';
import {
  manifestOf,
  syntheticNetwork,
  syntheticSigner,
  writeValidation,
} from '../support/synthetic-network.ts';

const doubts = (text: string) => strangersDoubts(text, sampleFileHash, sampleLogKey.vkey);

test('an independent reader of the format description accepts a genuine bundle', async (t) => {
  const entropy = Buffer.alloc(16, 3);
  const regularKeys = [ECDSA.ed25519, ECDSA.secp256k1].map((algorithm) =>
    Wallet.fromEntropy(entropy, { algorithm }),
  );
  for (const hashScheme of hashSchemes) {
    t.strictSame(doubts(sampleText({ hashScheme })), []);
    t.strictSame(doubts(sampleText({ hashScheme, unlogged: true })), []);
    t.strictSame(doubts(sampleText({ hashScheme, version: 2 })), []);
    for (const signer of regularKeys) {
      const text = sampleText({ hashScheme, signer });
      t.strictSame(doubts(text), ['signing key']);
    }
  }
});

test('an independent reader accepts signatures of validators, and refuses forged ones', async (t) => {
  const network = syntheticNetwork(7);
  const read = (text: string, publisherKey = network.publisherKey) =>
    strangersDoubts(text, sampleFileHash, sampleLogKey.vkey, publisherKey);
  const [first] = network.validators;
  if (first === undefined) throw new Error('seven were made');
  const rotated = syntheticSigner('network validator 0', 2);
  const attested = { network, laterLedgers: 3 };
  const text = sampleText({ attested });
  t.strictSame(read(text), []);
  t.strictSame(read(sampleText({ attested: { network } })), [], 'without a chain');
  const change = ({ validations, header, laterHeaders }: CollectedEvidence) => ({
    validations: [
      writeValidation(rotated.signing, laterHeaders.at(-1) ?? header),
      ...validations.slice(1, 6),
    ],
    manifests: [manifestOf(rotated)],
  });
  t.strictSame(read(sampleText({ attested: { ...attested, change } })), [], 'after a rotation');
  t.strictSame(read(text, 'ED00'), ['publisher of the list']);

  const bundle = JSON.parse(text);
  const { attestation } = bundle;
  const flip = (base64: string, at: number) => {
    const bytes = Buffer.from(base64, 'base64');
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes.toString('base64');
  };
  const { validatorList, validations, path, chain } = attestation;
  const forgeries: readonly (readonly [object, readonly string[]])[] = [
    [{ path: flip(path, 40) }, ['transaction path']],
    [{ chain: flip(chain, 100) }, ['quorum']],
    [{ chain: '' }, ['quorum']],
    [{ validations: validations.slice(1) }, ['quorum']],
    [{ validations: [validations[0], ...validations.slice(0, -1)] }, ['quorum']],
    [{ validations: validations.map((one: string) => flip(one, 30)) }, ['quorum']],
    [
      {
        validatorList: {
          ...validatorList,
          signature: validatorList.signature.replace(/..$/, '00'),
        },
      },
      ['signature of the list'],
    ],
  ];
  for (const [forged, expected] of forgeries) {
    const whole = { ...bundle, attestation: { ...attestation, ...forged } };
    const altered = JSON.stringify({ ...whole, checksum: bundleChecksum(whole) });
    t.strictSame(read(altered), expected, JSON.stringify(Object.keys(forged)));
    const checks = checkAttestation(readBundle(altered), [network.publisherKey]);
    t.notOk(isProvenByValidators(checks), 'the verifier agrees');
  }
});

test('an independent reader accepts a time-stamp token, and refuses another', async (t) => {
  const { publisherKey } = sampleAttested.network;
  const text = sampleText(sampleStamped);
  const read = (given: string) =>
    strangersDoubts(given, sampleFileHash, sampleLogKey.vkey, publisherKey);
  t.strictSame(read(text), []);
  t.strictSame(doubts(sampleText(sampleStampedAlone)), [], 'without signatures of validators');
  const bundle = JSON.parse(text);
  const other = JSON.parse(sampleText(sampleStampedAlone)).timestamp;
  const [first, ...rest] = bundle.timestamp.hashes;
  const flip = (at: number) => {
    const token = Buffer.from(bundle.timestamp.token, 'base64');
    token.writeUInt8(token.readUInt8(at) ^ 1, at);
    return { token: token.toString('base64') };
  };
  const falsehoods: readonly (readonly [object, readonly string[]])[] = [
    [{ token: other.token }, ['imprint']],
    [other, ['stamped checkpoint']],
    [{ hashes: rest }, ['stamped checkpoint']],
    [{ hashes: [first, ...bundle.timestamp.hashes] }, ['stamped checkpoint']],
    [
      { checkpointText: bundle.timestamp.checkpointText.replace('\n5\n', '\n9\n') },
      ['stamped checkpoint', 'imprint'],
    ],
    [flip(0), ['form of the token', 'imprint', 'time of the token']],
    [flip(1), ['form of the token', 'imprint', 'time of the token']],
  ];
  for (const [change, expected] of falsehoods) {
    const forged = { ...bundle, timestamp: { ...bundle.timestamp, ...change } };
    const altered = JSON.stringify({ ...forged, checksum: bundleChecksum(forged) });
    t.strictSame(read(altered), expected);
    t.match(checkTimestamp(readBundle(altered)), [{ outcome: 'failed' }], 'the verifier agrees');
  }
});

test('an independent reader of the format description refuses a forged bundle', async (t) => {
  const event = 'event of the anchoring';
  const falsehoods: readonly (readonly [RegExp, string, readonly string[]])[] = [
    [/"fileHash": ".{8}/, '"fileHash": "00000000', ['file hash', 'commitment']],
    [/"nonce": ".{8}/, '"nonce": "00000000', ['commitment']],
    [/"previousTransactionHash": ".{8}/, '"previousTransactionHash": "00000000', ['memo']],
    [
      /"transactionHash": ".{8}/,
      '"transactionHash": "00000000',
      ['transaction hash', 'addresses', event],
    ],
    [/"ledgerIndex": \d+/, '"ledgerIndex": 90000124', ['ledger index', event]],
    [/"ledgerIndex": \d+/, '"ledgerIndex": 90000126', ['last ledger', 'ledger index', event]],
    [/"ledgerHash": ".{8}/, '"ledgerHash": "00000000', ['ledger hash', event]],
    [/"transactionIndex": 3/, '"transactionIndex": 4', ['metadata', event]],
    [/"closeTime": \d+/, '"closeTime": 848531003', ['close time', 'close time in words', event]],
    [/(?<="account": ")[^"]*/, Wallet.generate().address, ['account']],
    [/F1031000/, 'F1031068', ['metadata', event]],
    [/"leafIndex": 1/, '"leafIndex": 2', ['log entry']],
    [/\\n3\\n/, '\\n2\\n', ['log entry', 'log checkpoint']],
  ];
  for (const [what, other, expected] of falsehoods) {
    const forged = JSON.parse(sampleText().replace(what, other));
    const text = JSON.stringify({ ...forged, checksum: bundleChecksum(forged) });
    t.strictSame(doubts(text), expected);
  }
});
