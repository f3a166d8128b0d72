import { test } from 'tap';
import { readVerification } from '../../src/pages/read-verification.js';

const hash = 'AB'.repeat(32);
const data = {
  transactionHash: hash,
  network: 'mainnet',
  verified: true,
  explorerUrl: `https://livenet.xrpl.org/transactions/${hash}`,
  ledgerIndex: 7,
  ledgerCloseTime: '2026-11-21T11:14:03.000Z',
  memo: { fileHash: 'c'.repeat(64), hashScheme: 'hmac-sha256-nonce-v3' },
  account: 'rHKbq74AxXoArVvMXJ9k8PFm2BFxLFM5Ce',
  standalone: false,
};

test('accepts the answer of public verification', async (t) => {
  t.strictSame(readVerification(data, hash), data);
  const reasons = { verified: false, reason: 'r', reasonCode: 'MALFORMED_MEMO' };
  for (const memo of [null, { anything: ['at all'] }, data.memo]) {
    const failed = { ...data, ...reasons, memo };
    t.strictSame(readVerification(failed, hash), failed);
  }
});

test('refuses an answer of unknown form', async (t) => {
  const wrong: Record<string, unknown[]> = {
    transactionHash: [undefined, hash.toLowerCase(), 'CD'.repeat(32)],
    network: [undefined, 'devnet', 'Mainnet', null],
    verified: [undefined, 'no', 1, null],
    standalone: [undefined, 'false', null],
    explorerUrl: [undefined, 5, 'x'.repeat(2_000)],
    ledgerIndex: [undefined, -1, 1.5, '7', {}],
    ledgerCloseTime: [undefined, 5, '<b>never', 'yesterday', null],
    memo: [undefined, null, ['x'], 'x', {}, { ...data.memo, hashScheme: 'md5' }, { fileHash: 'x' }],
    account: [undefined, {}, 'r'.repeat(100), '<b>'],
    reason: [5, 'x'.repeat(2_000)],
    reasonCode: [{}],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const title = `${name}: ${String(value).slice(0, 20)}`;
      t.equal(readVerification({ ...data, [name]: value }, hash), null, title);
    }
  }
  for (const nothing of [undefined, null, [], 'x', 5]) {
    t.equal(readVerification(nothing, hash), null);
  }
});

test('a service cannot speak for validators or for the server that the reader named', async (t) => {
  const validators = { publisher: 'vl.ripple.com', listSequence: 80, listed: 35, counted: 35 };
  const others = { server: 'xrplcluster.com', validators, isOwn: true, constructor: 'x' };
  t.strictSame(readVerification({ ...data, ...others }, hash), data);
});
