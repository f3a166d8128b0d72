import { Client, ECDSA, type Payment, Wallet } from 'xrpl';
import { genesisSeed } from './standalone-ledger/chain/genesis.ts';

const dropsPerXrp = 1_000_000n;

/**
 * Ensures that every address has at least `xrp` XRP on a standalone ledger; the genesis account
 * pays the difference. Resolves when the payments are validated; a second call pays nothing.
 * Rejects if the ledger refuses a payment or cannot be reached.
 */
export async function fundAccounts(options: {
  readonly url: string;
  readonly addresses: readonly string[];
  readonly xrp: number;
}): Promise<void> {
  const client = new Client(options.url);
  await client.connect();
  try {
    const wanted = BigInt(Math.round(options.xrp * Number(dropsPerXrp)));
    const poor: Payment[] = [];
    const genesis = Wallet.fromSeed(genesisSeed, { algorithm: ECDSA.secp256k1 });
    for (const address of new Set(options.addresses)) {
      const missing = wanted - (await balanceOf(client, address));
      if (missing <= 0n) continue;
      poor.push({
        TransactionType: 'Payment',
        Account: genesis.address,
        Destination: address,
        Amount: String(missing),
      });
    }
    await payAll(client, genesis, poor);
  } finally {
    await client.disconnect();
  }
}

/** Sends the payments with successive Sequences, then waits until all are validated. */
async function payAll(
  client: Client,
  genesis: Wallet,
  payments: readonly Payment[],
): Promise<void> {
  const [first] = payments;
  if (first === undefined) return;
  const prepared = await client.autofill(first);
  const signed = payments.map((payment, index) =>
    genesis.sign({ ...prepared, ...payment, Sequence: Number(prepared.Sequence) + index }),
  );
  for (const { tx_blob } of signed) {
    const { result } = await client.request({ command: 'submit', tx_blob });
    if (!/^(tes|ter)/.test(result.engine_result)) {
      throw new Error(`the ledger refused to fund an account: ${result.engine_result_message}`);
    }
  }
  for (const { hash } of signed) await validated(client, hash, prepared.LastLedgerSequence ?? 0);
}

async function validated(client: Client, hash: string, lastLedger: number): Promise<void> {
  for (;;) {
    const newest = await client.getLedgerIndex();
    const { result } = await client.request({ command: 'tx', transaction: hash });
    if (result.validated) {
      const outcome = typeof result.meta === 'object' ? result.meta.TransactionResult : undefined;
      if (outcome !== 'tesSUCCESS')
        throw new Error(`funding an account failed on the ledger: ${outcome}`);
      return;
    }
    if (newest > lastLedger)
      throw new Error('the transaction that funds an account did not get into a ledger in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function balanceOf(client: Client, address: string): Promise<bigint> {
  try {
    const { result } = await client.request({
      command: 'account_info',
      account: address,
      ledger_index: 'validated',
    });
    return BigInt(result.account_data.Balance);
  } catch (error) {
    const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
    const isUnknown =
      typeof data === 'object' && data !== null && 'error' in data && data.error === 'actNotFound';
    if (isUnknown) return 0n;
    throw error;
  }
}
