import { Client, Wallet } from 'xrpl';

/** Other clients of a ledger, which fill every open ledger and the queue. */
export interface Crowd {
  readonly addresses: readonly string[];
  /** Submits as many transactions of each account as a server queues, at this fee. */
  fill(feeDrops: number): Promise<void>;
  close(): Promise<void>;
}

/** Transactions that rippled queues for one account (TxQ, maximumTxnPerAccount). */
const perAccount = 10;

/** The accounts must be funded before `fill`. */
export async function createCrowd(url: string, accounts: number): Promise<Crowd> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  const wallets = Array.from({ length: accounts }, () => Wallet.generate());
  const submitAll = async (wallet: Wallet, feeDrops: number) => {
    const { result } = await client.request({
      command: 'account_info',
      account: wallet.address,
      ledger_index: 'current',
      queue: true,
    });
    const queued = result.queue_data?.txn_count ?? 0;
    const next = result.account_data.Sequence + queued;
    for (let at = 0; at < perAccount - queued; at++) {
      const Sequence = next + at;
      const transaction = { TransactionType: 'AccountSet', Account: wallet.address } as const;
      const { tx_blob } = wallet.sign({ ...transaction, Sequence, Fee: String(feeDrops) });
      await client.request({ command: 'submit', tx_blob });
    }
  };
  return {
    addresses: wallets.map(({ address }) => address),
    fill: async (feeDrops) => {
      await Promise.all(wallets.map((wallet) => submitAll(wallet, feeDrops)));
    },
    close: () => client.disconnect(),
  };
}
