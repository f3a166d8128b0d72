import { Gauge, type Registry } from '@prometheus-io/client';
import type { LedgerAccount } from '../ledger/contract.ts';
import { keepFigures } from './figures.ts';
import type { WatchedNetwork } from './watched-network.ts';

/** Minimum time between two requests to the servers. Requests are only sent during scrapes. */
const keptMs = 30_000;
const waitMs = 2_000;

interface Balance {
  readonly network: string;
  readonly account: string;
  readonly drops: number;
  /** Null if the server does not report the reserve. */
  readonly aboveReserveDrops: number | null;
}

/** Registers the balance of each configured anchoring account; labels contain no other account. */
export function accountMetrics(registry: Registry, networks: readonly WatchedNetwork[]): void {
  const figures = networks.flatMap(({ gateway, addresses }) =>
    addresses.map((address) =>
      keepFigures(() => readBalance(gateway, address), { keptMs, waitMs }),
    ),
  );
  const balances = async () => {
    const found = await Promise.all(figures.map((figure) => figure()));
    return found.filter((balance) => balance !== null);
  };
  const labelNames = ['network', 'account'] as const;
  const registers = [registry];
  new Gauge({
    name: 'proofmark_account_balance_drops',
    help: 'Balance of an anchoring account in the validated ledger; 0 if it does not exist there',
    labelNames,
    registers,
    async collect() {
      this.reset();
      for (const { network, account, drops } of await balances()) {
        this.set({ network, account }, drops);
      }
    },
  });
  new Gauge({
    name: 'proofmark_account_above_reserve_drops',
    help: 'Spendable balance of an anchoring account: the balance minus the reserve, negative below the reserve',
    labelNames,
    registers,
    async collect() {
      this.reset();
      for (const { network, account, aboveReserveDrops } of await balances()) {
        if (aboveReserveDrops !== null) this.set({ network, account }, aboveReserveDrops);
      }
    },
  });
}

async function readBalance(gateway: WatchedNetwork['gateway'], account: string): Promise<Balance> {
  const found = await gateway.account(account, 0);
  const drops = Number(found?.balanceDrops ?? 0n);
  const network = gateway.name();
  return { network, account, drops, aboveReserveDrops: aboveReserve(gateway, found, drops) };
}

function aboveReserve(
  gateway: WatchedNetwork['gateway'],
  found: LedgerAccount | null,
  drops: number,
): number | null {
  const status = gateway.current();
  if (!status.connected || status.reserve === null) return null;
  const { baseDrops, perObjectDrops } = status.reserve;
  return drops - baseDrops - perObjectDrops * (found?.ownedObjects ?? 0);
}
