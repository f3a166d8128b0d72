import { test } from 'tap';
import { openAccount, startLedger, submit } from './test-ledger.ts';

test('requests without a version get the shapes of version 1', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const { connection, ledger } = running;
  await connection.ask({ command: 'subscribe', streams: ['transactions'] });
  const pay = {
    TransactionType: 'Payment',
    Account: account.address,
    Destination: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    Amount: '7',
  } as const;
  const { tx_blob, hash } = account.signAny(pay);
  await submit(connection, tx_blob);
  const { ledgerIndex } = await ledger.close();
  const shown = { TransactionType: 'Payment', Amount: '7', DeliverMax: '7', hash };

  const found = await connection.result({ command: 'tx', transaction: hash });
  t.match(found, {
    ...shown,
    inLedger: ledgerIndex,
    date: Number,
    meta: { delivered_amount: '7' },
  });
  const binary = await connection.result({ command: 'tx', transaction: hash, binary: true });
  t.match(binary, { tx: tx_blob, meta: /^201C/, date: Number });
  const history = await connection.result({
    command: 'account_tx',
    account: account.address,
    limit: 1,
  });
  t.match(history.transactions, [{ meta: Object, tx: { ...shown, inLedger: ledgerIndex } }]);
  const whole = { command: 'ledger', ledger_index: ledgerIndex, transactions: true, expand: true };
  t.match(await connection.result(whole), {
    ledger: { ledger_index: String(ledgerIndex), transactions: [{ ...shown, metaData: Object }] },
  });
  t.match(await connection.takePushed(), [
    { type: 'transaction', transaction: shown, meta: Object },
  ]);
});
