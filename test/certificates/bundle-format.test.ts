import { test } from 'tap';
import { ECDSA, Wallet } from 'xrpl';
import { bundleChecksum } from '../../src/certificates/bundle-checksum.ts';
import { hashSchemes } from '../../src/domain/proof/hash-scheme.ts';
import { sampleFileHash, sampleText } from '../support/sample-bundle.ts';
import { strangersDoubts } from '../support/stranger.ts';

test('whoever follows the description of the format finds a true bundle true', async (t) => {
  const entropy = Buffer.alloc(16, 3);
  const regularKeys = [ECDSA.ed25519, ECDSA.secp256k1].map((algorithm) =>
    Wallet.fromEntropy(entropy, { algorithm }),
  );
  for (const hashScheme of hashSchemes) {
    t.strictSame(strangersDoubts(sampleText({ hashScheme }), sampleFileHash), []);
    for (const signer of regularKeys) {
      const text = sampleText({ hashScheme, signer });
      t.strictSame(strangersDoubts(text, sampleFileHash), ['signing key']);
    }
  }
});

test('and a false one false', async (t) => {
  const falsehoods: readonly (readonly [RegExp, string, readonly string[]])[] = [
    [/"fileHash": ".{8}/, '"fileHash": "00000000', ['file hash', 'commitment']],
    [/"nonce": ".{8}/, '"nonce": "00000000', ['commitment']],
    [/"previousTransactionHash": ".{8}/, '"previousTransactionHash": "00000000', ['memo']],
    [/"transactionHash": ".{8}/, '"transactionHash": "00000000', ['transaction hash', 'addresses']],
    [/"ledgerIndex": \d+/, '"ledgerIndex": 90000124', ['ledger index']],
    [/"ledgerIndex": \d+/, '"ledgerIndex": 90000126', ['last ledger', 'ledger index']],
    [/"ledgerHash": ".{8}/, '"ledgerHash": "00000000', ['ledger hash']],
    [/"transactionIndex": 3/, '"transactionIndex": 4', ['metadata']],
    [/"closeTime": \d+/, '"closeTime": 848531003', ['close time', 'close time in words']],
    [/(?<="account": ")[^"]*/, Wallet.generate().address, ['account']],
    [/F1031000/, 'F1031068', ['metadata']],
  ];
  for (const [what, other, doubts] of falsehoods) {
    const forged = JSON.parse(sampleText().replace(what, other));
    const text = JSON.stringify({ ...forged, checksum: bundleChecksum(forged) });
    t.strictSame(strangersDoubts(text, sampleFileHash), doubts);
  }
});
