import { randomBytes } from 'node:crypto';
import { deriveKeypair, generateSeed, sign, verify } from 'ripple-keypairs';
import { test } from 'tap';
import { isValidEd25519 } from '../../../../src/embedded/standalone-ledger/codec/verify-signature.ts';

/** Order of the ed25519 group. A signature's S must be below it. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n;

function oracle(message: string, signature: string, publicKey: string): boolean {
  try {
    return verify(message, signature, publicKey);
  } catch {
    return false;
  }
}

function changed(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const at = Math.floor(Math.random() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
  return bytes.toString('hex').toUpperCase();
}

/** The same signature with S increased by the group's order, valid only for lax verifiers. */
function nonCanonical(signature: string): string {
  const s =
    BigInt(`0x${Buffer.from(signature.slice(64), 'hex').reverse().toString('hex')}`) + order;
  const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return `${signature.slice(0, 64)}${bytes.toString('hex').toUpperCase()}`;
}

test('the fast ed25519 check agrees with ripple-keypairs', async (t) => {
  let good = 0;
  for (let round = 0; round < 60; round += 1) {
    const { publicKey, privateKey } = deriveKeypair(generateSeed({ algorithm: 'ed25519' }));
    const message = randomBytes(1 + round * 7).toString('hex');
    const signature = sign(message, privateKey);
    const other = sign(`${message}00`, privateKey);
    const cases: readonly (readonly [string, string, string])[] = [
      [message, signature, publicKey],
      [changed(message), signature, publicKey],
      [message, changed(signature), publicKey],
      [message, signature, `ED${changed(publicKey.slice(2))}`],
      [message, other, publicKey],
      [message, nonCanonical(signature), publicKey],
      [message, randomBytes(64).toString('hex').toUpperCase(), publicKey],
      [message, signature.slice(2), publicKey],
      [message, `${signature}00`, publicKey],
    ];
    for (const [text, sig, key] of cases) {
      const verdict = isValidEd25519(Buffer.from(text, 'hex'), sig, key);
      if (verdict) good += 1;
      t.equal(verdict, oracle(text, sig, key), `${text.slice(0, 16)} ${sig} ${key}`);
    }
  }
  t.equal(good, 60, 'only the true signatures are valid');
});

test('agrees on points of small order and non-canonical encodings', async (t) => {
  const zeros = '00'.repeat(32);
  const points = [
    zeros,
    `01${'00'.repeat(31)}`,
    `${'00'.repeat(31)}80`,
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'ff'.repeat(32),
  ].map((point) => point.toUpperCase());
  const deviating: string[] = [];
  for (const key of points) {
    for (const r of points) {
      for (const s of [zeros, `01${'00'.repeat(31)}`]) {
        const verdict = isValidEd25519(Buffer.from('ab', 'hex'), `${r}${s}`, `ED${key}`);
        if (verdict !== oracle('AB', `${r}${s}`, `ED${key}`)) deviating.push(`${key} ${r}${s}`);
      }
    }
  }
  t.strictSame(deviating, []);
});
