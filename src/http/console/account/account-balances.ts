import type { Network } from '../../../domain/network.ts';
import type { LedgerGateway } from '../../../ledger/contract.ts';
import { inTime } from '../../in-time.ts';

/** Balance of an account of this service in drops; null if the ledger does not say so now. */
export type AccountBalances = (network: Network, address: string) => Promise<bigint | null>;

const keptMs = 30_000;
const waitMs = 2_000;

interface Asked {
  readonly at: number;
  readonly balance: Promise<bigint | null>;
}

/**
 * Asks the ledger for balances, of each account every half minute at most. A page waits two seconds
 * for one. Give it only addresses of this service: it remembers each.
 */
export function createAccountBalances(
  gateways: readonly Pick<LedgerGateway, 'network' | 'account'>[],
  now: () => number = () => performance.now(),
): AccountBalances {
  const asked = new Map<string, Asked>();
  return async (network, address) => {
    const gateway = gateways.find((each) => each.network === network);
    if (gateway === undefined) return null;
    const key = `${network} ${address}`;
    const before = asked.get(key);
    const isFresh = before !== undefined && now() - before.at < keptMs;
    const balance = isFresh ? before.balance : ask(gateway, address);
    if (!isFresh) asked.set(key, { at: now(), balance });
    return inTime(balance, waitMs, () => new Error('the ledger is slow')).catch(() => null);
  };
}

/** A ledger that cannot be reached leaves the balance unknown. */
async function ask(
  gateway: Pick<LedgerGateway, 'account'>,
  address: string,
): Promise<bigint | null> {
  try {
    return (await gateway.account(address, 0))?.balanceDrops ?? 0n;
  } catch {
    return null;
  }
}
