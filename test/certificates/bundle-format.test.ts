import { test } from 'tap';
import { ECDSA, Wallet } from 'xrpl';
import { hashSchemes } from '../../src/domain/proof/hash-scheme.ts';
import { bundleChecksum } from '../../src/verifier/bundle/bundle-checksum.ts';
import { sampleFileHash, sampleLogKey, sampleText } from '../support/sample-bundle.ts';
import { strangersDoubts } from '../support/stranger.ts';

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
