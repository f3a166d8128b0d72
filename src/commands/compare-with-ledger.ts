import { setTimeout as delay } from 'node:timers/promises';
import { filter, firstValueFrom, timeout } from 'rxjs';
import type { LedgerGateway } from '../ledger/contract.ts';
import { AnchoredLogDiffers, RestoreUnfinished } from './anchored-log-differs.ts';
import { type AnchoredLog, compareAnchored } from './compare-anchored.ts';
import { loadLog } from './load-log.ts';

/** Whether the log was found to be the one whose checkpoint is on the ledger. */
export interface LedgerComparison {
  /** Only then may anything be signed or published. */
  agrees(): boolean;
  /** Resolves when it agrees; never where the program ends instead. */
  readonly agreed: Promise<void>;
}

export interface LedgerComparisonDeps extends Pick<AnchoredLog, 'store' | 'leaves'> {
  /** Every network, with the account that checkpoints are anchored from there; null: none. */
  readonly networks: readonly {
    readonly gateway: LedgerGateway;
    readonly account: string | null;
  }[];
  /** Aborted when the program ends. */
  readonly draining: AbortSignal;
  /** It agrees with this one. */
  readonly onAgrees: (last: object) => void;
  /** What keeps it from being known, when that changes. */
  readonly onTrouble: (error: unknown) => void;
  /** It does not agree, and the program must end. */
  readonly fail: (error: unknown) => void;
}

const firstMs = 5_000;
const retryMs = 2_000;

/**
 * Compares the log with its last anchored checkpoint: before anything is served where a ledger
 * answers at once, otherwise as soon as one does. Rejects, or ends the program, where it differs.
 */
export async function compareWithLedger(deps: LedgerComparisonDeps): Promise<LedgerComparison> {
  const { store, networks, draining, onTrouble, fail } = deps;
  const restoring = (await loadLog(store))?.state.restoring ?? null;
  if (restoring !== null) throw new RestoreUnfinished(restoring.epoch);
  const open = new Set(networks);
  let told = '';
  const attempt = async () => {
    try {
      for (const network of open) if (await agreesOn(deps, network)) open.delete(network);
    } catch (error) {
      if (error instanceof AnchoredLogDiffers) throw error;
      if (String(error) !== told) onTrouble(error);
      told = String(error);
    }
  };
  const retry = async () => {
    while (open.size > 0) {
      await delay(retryMs, undefined, { signal: draining });
      await attempt();
    }
  };
  await Promise.all(networks.map(({ gateway }) => connected(gateway)));
  await attempt();
  const agreed = new Promise<void>((resolve) => {
    retry().then(resolve, (error: unknown) => {
      if (!draining.aborted) fail(error);
    });
  });
  return { agrees: () => open.size === 0, agreed };
}

async function agreesOn(
  { store, leaves, onAgrees }: LedgerComparisonDeps,
  { gateway, account }: LedgerComparisonDeps['networks'][number],
): Promise<boolean> {
  const found = await compareAnchored({ store, leaves, gateway, account });
  if (found.status === 'agrees') {
    if (found.last) onAgrees(found.last);
    return true;
  }
  if (found.status !== 'untold') throw new AnchoredLogDiffers(found);
  throw new Error(
    `what ${found.account} anchored before ledger ${found.searchedFrom} is told by no server of ` +
      `${gateway.network}: add one with more history`,
  );
}

/** Or not: every server has been tried once by then, or takes long. */
async function connected(gateway: LedgerGateway): Promise<void> {
  const tried = () => gateway.servers().every(({ state }) => state !== 'connecting');
  const first = gateway.status.pipe(
    filter((status) => status.connected || tried()),
    timeout(firstMs),
  );
  await firstValueFrom(first).catch(() => null);
}
