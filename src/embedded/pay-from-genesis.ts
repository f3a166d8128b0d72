import { Client, ECDSA, type Payment, Wallet } from 'xrpl';
import { genesisSeed } from './standalone-ledger/chain/genesis.ts';

/**
 * Pays these drops to each address from the genesis account of a standalone ledger. Resolves when
 * the payments are validated. Rejects if the ledger refuses one or cannot be reached.
 */
export async function payFromGenesis(
  url: string,
  drops: ReadonlyMap<string, bigint>,
): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    const genesis = Wallet.fromSeed(genesisSeed, { algorithm: ECDSA.secp256k1 });
    const payments = Array.from(
      drops,
      ([address, amount]): Payment => ({
        TransactionType: 'Payment',
        Account: genesis.address,
        Destination: address,
        Amount: String(amount),
      }),
    );
    await payAll(client, genesis, payments);
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
