import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { readTransactionResult } from '../../src/ledger/transaction-result.ts';
import {
  type BinaryLedgerAnswer,
  LedgerForged,
  readValidatedLedger,
} from '../../src/ledger/validated-ledger.ts';

const samples = join(import.meta.dirname, '../embedded/standalone-ledger/samples');

/** Answer of a real rippled. */
function recorded(): BinaryLedgerAnswer {
  const file = join(samples, 'ledger.validated.transactions-expand-binary.json');
  return JSON.parse(readFileSync(file, 'utf8')).response.result;
}

test('reads a ledger of a real rippled and recomputes its hash and transaction tree', async (t) => {
  const answer = recorded();
  const ledger = readValidatedLedger(answer);
  t.equal(ledger.hash, answer.ledger_hash);
  t.equal(ledger.index, 4);
  t.equal(ledger.transactions.length, 3);
  const results = ledger.transactions.map(({ metadata }) => readTransactionResult(metadata));
  t.strictSame(
    results,
    [0, 1, 2].map((transactionIndex) => ({ engineResult: 'tesSUCCESS', transactionIndex })),
  );
});

test('refuses an answer with anything added, left out or altered', async (t) => {
  const forgeries: Record<string, (answer: BinaryLedgerAnswer) => BinaryLedgerAnswer> = {
    'a transaction left out': (a) => ({
      ...a,
      ledger: { ...a.ledger, transactions: (a.ledger.transactions ?? []).slice(1) },
    }),
    'a transaction twice': (a) => {
      const transactions = a.ledger.transactions ?? [];
      return { ...a, ledger: { ...a.ledger, transactions: [...transactions, ...transactions] } };
    },
    'another hash': (a) => ({ ...a, ledger_hash: a.ledger_hash.replace(/^./, '0') }),
    'another header': (a) => ({
      ...a,
      ledger: { ...a.ledger, ledger_data: a.ledger.ledger_data.replace(/..$/, '01') },
    }),
    'altered metadata': (a) => ({
      ...a,
      ledger: {
        ...a.ledger,
        transactions: (a.ledger.transactions ?? []).map((tx) => ({
          ...tx,
          meta_blob: tx.meta_blob.replace(/031000$/, '031068'),
        })),
      },
    }),
  };
  for (const [name, forge] of Object.entries(forgeries)) {
    t.throws(() => readValidatedLedger(forge(recorded())), { name: 'LedgerForged' }, name);
  }
  t.ok(LedgerForged.prototype instanceof Error);
});

test('reads a tec result from binary metadata', async (t) => {
  const file = join(samples, 'ledger.validated.transactions-expand-binary.json');
  const { meta_blob: metadata } = JSON.parse(readFileSync(file, 'utf8')).response.result.ledger
    .transactions[1];
  const failed = metadata.replace(/031000$/, '031068');
  t.strictSame(readTransactionResult(failed), {
    engineResult: 'tecUNFUNDED_PAYMENT',
    transactionIndex: 1,
  });
});
