import { deriveKeypair, generateSeed } from 'ripple-keypairs';
import { test } from 'tap';
import { deriveKeyPair } from '../../src/ledger/derive-key-pair.ts';

test('derives the keys that ripple-keypairs derives', async (t) => {
  for (const algorithm of ['ed25519', 'ecdsa-secp256k1'] as const) {
    for (let count = 0; count < 20; count += 1) {
      const seed = generateSeed({ algorithm });
      t.same(deriveKeyPair(seed), deriveKeypair(seed), algorithm);
    }
  }
});

test('throws if the text is no seed', async (t) => {
  for (const text of ['', 'x', 'sEd', generateSeed().slice(0, -1)]) {
    t.throws(() => deriveKeyPair(text), text);
  }
});
