import type { Test } from 'tap';
import { type AccountSet, type SubmittableTransaction, Wallet } from 'xrpl';
import {
  createStandaloneLedger,
  type StandaloneLedger,
} from '../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import type { StandaloneLedgerOptions } from '../../../src/embedded/standalone-ledger/options.ts';
import { isRecord, type Json } from './compare-answers.ts';
import { connect, type RawConnection } from './raw-connection.ts';
import { genesis } from './recorded-session.ts';

/** A ledger that is stopped with the test, and a bare connection to it. */
export async function startLedger(
  t: Test,
  options: StandaloneLedgerOptions = {},
): Promise<{ ledger: StandaloneLedger; connection: RawConnection }> {
  const ledger = await createStandaloneLedger({ closeMs: 0, ...options });
  const connection = await connect(ledger.url);
  t.teardown(async () => {
    connection.close();
    await ledger.stop();
  });
  return { ledger, connection };
}

/** A funded account that signs with successive Sequences, starting with its first. */
export class TestAccount {
  readonly wallet: Wallet;
  sequence: number;

  constructor(wallet: Wallet, sequence: number) {
    this.wallet = wallet;
    this.sequence = sequence;
  }

  get address(): string {
    return this.wallet.address;
  }

  /** Signs with the next Sequence unless the fields name another. */
  sign(fields: Partial<AccountSet> = {}): { tx_blob: string; hash: string } {
    return this.signAny({ TransactionType: 'AccountSet', Account: this.address, ...fields });
  }

  signAny(transaction: SubmittableTransaction): { tx_blob: string; hash: string } {
    const Sequence = transaction.Sequence ?? this.sequence;
    if (Sequence === this.sequence) this.sequence += 1;
    return this.wallet.sign({ Fee: '12', ...transaction, Sequence });
  }
}

/** Funds new accounts by payments of the genesis account and closes two ledgers. */
export async function openAccounts(
  { ledger, connection }: { ledger: StandaloneLedger; connection: RawConnection },
  count = 1,
): Promise<TestAccount[]> {
  const info = await connection.result({ command: 'account_info', account: genesis.address });
  let Sequence = isRecord(info.account_data) ? Number(info.account_data.Sequence) : 0;
  const wallets = Array.from({ length: count }, () => Wallet.generate());
  for (const { address } of wallets) {
    const { tx_blob } = genesis.sign({
      TransactionType: 'Payment',
      Account: genesis.address,
      Destination: address,
      Amount: '1000000000',
      Fee: '1000000',
      Sequence,
    });
    Sequence += 1;
    await connection.result({ command: 'submit', tx_blob });
  }
  const { ledgerIndex } = await ledger.close();
  await ledger.close();
  return wallets.map((wallet) => new TestAccount(wallet, ledgerIndex));
}

export async function openAccount(running: {
  ledger: StandaloneLedger;
  connection: RawConnection;
}): Promise<TestAccount> {
  const [account] = await openAccounts(running);
  if (account === undefined) throw new Error('no account');
  return account;
}

/** Engine result of submitting a blob. */
export async function submit(
  connection: RawConnection,
  tx_blob: string,
  parameters: Json = {},
): Promise<string> {
  const answer = await connection.ask({
    command: 'submit',
    tx_blob,
    api_version: 2,
    ...parameters,
  });
  return isRecord(answer.result)
    ? String(answer.result.engine_result)
    : `${answer.error}: ${answer.error_exception ?? answer.error_message}`;
}
