import { once } from 'node:events';
import { WebSocket } from 'ws';

const dropsPerXrp = 1_000_000n;
const timeoutMs = 20_000;

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
  const { url, addresses, xrp } = options;
  const wanted = BigInt(Math.round(xrp * Number(dropsPerXrp)));
  const missing = new Map<string, bigint>();
  for (const [address, balance] of await balancesOf(url, [...new Set(addresses)])) {
    if (balance < wanted) missing.set(address, wanted - balance);
  }
  if (missing.size === 0) return;
  // Loaded now, since its client takes a fifth of a start to load, and only the first start pays.
  const { payFromGenesis } = await import('./pay-from-genesis.ts');
  await payFromGenesis(url, missing);
}

/** Balances in drops in the newest validated ledger; 0 for an account that does not exist. */
async function balancesOf(
  url: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: timeoutMs });
  const closed = new AbortController();
  const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    socket.on('error', (cause) => closed.abort(cause));
    socket.once('close', () => closed.abort());
    await once(socket, 'open', { signal });
    const balances = new Map<string, bigint>();
    for (const account of addresses) {
      const answer = once(socket, 'message', { signal });
      socket.send(JSON.stringify({ command: 'account_info', account, ledger_index: 'validated' }));
      const [text] = await answer;
      balances.set(account, balanceIn(JSON.parse(String(text)) as AccountAnswer));
    }
    return balances;
  } finally {
    socket.terminate();
  }
}

interface AccountAnswer {
  readonly error?: string;
  readonly result?: { readonly account_data: { readonly Balance: string } };
}

function balanceIn({ error, result }: AccountAnswer): bigint {
  if (result !== undefined) return BigInt(result.account_data.Balance);
  if (error === 'actNotFound') return 0n;
  throw new Error(`the ledger did not answer for an account that is to be funded: ${error}`);
}
