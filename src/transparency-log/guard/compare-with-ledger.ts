import { setTimeout as delay } from 'node:timers/promises';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { OperatorError } from '../../errors/operator-error.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { loadLog } from '../load-log.ts';
import { check, requireAgreement } from './check.ts';
import type { AnchoredLog } from './compare-anchored.ts';
import { LogDiffers } from './log-differs.ts';

/** Whether the log was found to be the one whose checkpoint, and other transactions, are on the ledger. */
export interface LedgerComparison {
  /** Only then may anything be signed. */
  agrees(): boolean;
  /**
   * Resolves when it may be published: when it agrees, as far as the ledgers are those that it knows.
   * Never where the program ends instead.
   */
  readonly agreed: Promise<void>;
}

export interface LedgerComparisonDeps extends Pick<AnchoredLog, 'store' | 'leaves'> {
  /** Every network, with the account that checkpoints are anchored from there; null: none. */
  readonly networks: readonly {
    readonly gateway: LedgerGateway;
    readonly account: string | null;
    /**
     * Compares what was signed with our accounts there. Rejects with `LogDiffers` where the
     * log has forgotten some of it, and while that is not known. Of `otherLedger` nothing is known:
     * nothing is signed until an operator says what became of the known one.
     */
    readonly compareAccounts: () => Promise<'agrees' | 'otherLedger'>;
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
 * Compares the log with its last anchored checkpoint and with what our accounts have sent: before
 * anything is served where a ledger answers at once, otherwise as soon as one does. Rejects, or ends
 * the program, where it differs.
 */
export async function compareWithLedger(deps: LedgerComparisonDeps): Promise<LedgerComparison> {
  const { store, networks, draining, onTrouble, fail } = deps;
  const restoring = (await loadLog(store))?.state.restoring ?? null;
  if (restoring !== null) throw new RestoreUnfinished(restoring.epoch);
  const unpublished = new Set(networks);
  const unsigned = new Set(networks);
  const agreed = Promise.withResolvers<void>();
  let told = '';
  const attempt = async () => {
    try {
      for (const network of unsigned) {
        if (unpublished.has(network)) await compareCheckpoint(deps, network);
        const found = await network.compareAccounts();
        if (found === 'agrees') unsigned.delete(network);
        unpublished.delete(network);
      }
      if (unpublished.size === 0) agreed.resolve();
    } catch (error) {
      if (error instanceof LogDiffers) throw error;
      if (String(error) !== told) onTrouble(error);
      told = String(error);
    }
  };
  const retry = async () => {
    while (unsigned.size > 0) {
      await delay(retryMs, undefined, { signal: draining });
      await attempt();
    }
  };
  await Promise.all(networks.map(({ gateway }) => connected(gateway)));
  await attempt();
  retry().catch((error: unknown) => {
    if (!draining.aborted) fail(error);
  });
  return { agrees: () => unsigned.size === 0, agreed: agreed.promise };
}

async function compareCheckpoint(
  { store, leaves, onAgrees }: LedgerComparisonDeps,
  { gateway, account }: LedgerComparisonDeps['networks'][number],
): Promise<void> {
  const verdict = await check({ of: 'anchoring', store, leaves, gateway, account });
  const last = requireAgreement(verdict);
  if (last !== null) onAgrees(last);
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

/** `log restored` began and has not ended. */
export class RestoreUnfinished extends OperatorError {
  constructor(epoch: number) {
    super(
      `epoch ${epoch} of the log was opened, but the transactions on the ledger were not reconciled: ` +
        'run `npm run --silent ops -- log restored` again',
    );
  }
}
