import type { Test } from 'tap';
import { Wallet } from 'xrpl';
import { fundAccounts } from '../../../src/embedded/fund-accounts.ts';
import { createStandaloneLedger } from '../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { isRecord } from './compare-answers.ts';
import { connect } from './raw-connection.ts';
import { RecordedSession } from './recorded-session.ts';
import { sample } from './samples.ts';

const name = 'submit.memo-size-limit.json';

/**
 * Tries the recorded memo sizes. Refused transactions were not recorded, so they are signed here.
 */
export async function replayMemoProbe(t: Test): Promise<RecordedSession> {
  const ledger = await createStandaloneLedger({ closeMs: 50 });
  t.teardown(() => ledger.stop());
  const session = new RecordedSession(ledger, await connect(ledger.url));
  const wallet = Wallet.generate();
  await fundAccounts({ url: ledger.url, addresses: [wallet.address], xrp: 100 });
  const info = await session.connection.result({
    command: 'account_info',
    account: wallet.address,
  });
  let sequence = isRecord(info.account_data) ? Number(info.account_data.Sequence) : 0;
  const { probe } = sample(name);
  for (const attempt of Array.isArray(probe) ? probe : []) {
    const { tx_blob } = wallet.sign({
      TransactionType: 'AccountSet',
      Account: wallet.address,
      Fee: '12',
      Sequence: sequence,
      Memos: [
        {
          Memo: {
            MemoType: Buffer.from('x-test/anchor').toString('hex'),
            MemoData: 'aa'.repeat(attempt.memo_data_bytes),
          },
        },
      ],
    });
    const answer = await session.connection.ask({ command: 'submit', tx_blob });
    const result = isRecord(answer.result) ? answer.result.engine_result : undefined;
    session.compare(name, result ?? `${answer.error}: ${answer.error_exception}`, attempt.outcome);
    if (result === 'tesSUCCESS') sequence += 1;
  }
  session.connection.close();
  return session;
}
