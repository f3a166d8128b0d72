import { Client } from 'xrpl';
import { type AccountHistory, historyOf, type LedgerEntry } from './ledger-history.ts';

/**
 * Reads the history of these accounts from every ledger since `firstLedger`. The `account_tx` of a
 * standalone rippled begins with the ledger that its last start has loaded.
 */
export async function walkLedgers(
  url: string,
  addresses: readonly string[],
  firstLedger: number,
): Promise<readonly AccountHistory[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const newest = await client.getLedgerIndex();
    const entries: LedgerEntry[] = [];
    for (let index = firstLedger + 1; index <= newest; index++) {
      entries.push(...(await transactionsOf(client, index)));
    }
    return await Promise.all(addresses.map((address) => historyOf(client, address, entries)));
  } finally {
    await client.disconnect();
  }
}

/** Transactions of a ledger in their order. */
async function transactionsOf(client: Client, index: number): Promise<readonly LedgerEntry[]> {
  const { result } = await client.request({
    command: 'ledger',
    ledger_index: index,
    transactions: true,
    expand: true,
  });
  if (result.validated !== true) throw new Error(`ledger ${index} is not validated`);
  const entries = (result.ledger.transactions ?? []) as unknown as LedgerEntry[];
  return entries
    .map((entry) => ({ ...entry, ledger_index: index }))
    .sort((a, b) => placeOf(a) - placeOf(b));
}

function placeOf({ meta }: LedgerEntry): number {
  return typeof meta === 'object' ? meta.TransactionIndex : 0;
}
