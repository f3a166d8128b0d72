import { test } from 'tap';
import { readServerAnswer } from '../../src/pages/read-server-answer.js';
import { sampleProof } from '../support/sample-bundle.ts';

const { content, evidence } = sampleProof();
const { transactionHash, account, ledgerIndex } = content;
const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
const { type, format, data } = evidence.memo;
const transaction = {
  ...{ hash: transactionHash, Account: account, date: evidence.closeTime },
  Memos: [{ Memo: { MemoType: hex(type), MemoFormat: hex(format), MemoData: hex(data) } }],
  ...{ validated: true, ledger_index: ledgerIndex, meta: { TransactionResult: 'tesSUCCESS' } },
};
const on = (network_id: unknown, build_version = '3.0.0') => ({
  result: { info: { network_id, build_version } },
});

function read(change: object = {}, info: unknown = on(0)) {
  const found = { result: { ...transaction, ...change } };
  return readServerAnswer({ info, found, transactionHash, server: 'ledger.example' });
}

test('an answer of a server is read in its own words', async (t) => {
  t.match(read(), {
    found: 'yes',
    data: {
      ...{ verified: true, network: 'mainnet', standalone: false, server: 'ledger.example' },
      ...{ ledgerIndex, account, ledgerCloseTime: content.closeTimeIso },
    },
  });
  t.match(read({}, on(1)), { data: { network: 'testnet' } });
});

test('a development ledger is no network, whatever number it states', async (t) => {
  t.match(read({}, on(0, 'proofmark-1.0')), { data: { network: 'standalone', standalone: true } });
});

test('a server of another network, or of none, is not used', async (t) => {
  for (const id of [2, 21337, '0', null, undefined, 'constructor', '__proto__', 'toString', [0]]) {
    t.strictSame(read({}, on(id)), { found: 'strange' }, String(id));
  }
  t.strictSame(read({}, null), { found: 'strange' });
});

test('an answer that proves nothing is not verified', async (t) => {
  t.strictSame(read({ validated: false }), { found: 'no' });
  t.strictSame(read({ hash: 'A'.repeat(64) }), { found: 'strange' });
  t.strictSame(read({ Account: 'r<b>' }), { found: 'strange' });
  t.strictSame(read({ date: -1 }), { found: 'strange' });
  t.match(read({ meta: { TransactionResult: 'tecNO_DST' } }), {
    data: { verified: false, reasonCode: 'TRANSACTION_FAILED' },
  });
  t.match(read({ Memos: [] }), { data: { verified: false, reasonCode: 'MALFORMED_MEMO' } });
});
