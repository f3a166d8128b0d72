import { setTimeout as delay } from 'node:timers/promises';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { OperatorError } from '../../errors/operator-error.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { loadLog } from '../load-log.ts';
import { checkTraces, requireAgreement } from './check-traces.ts';
import type { AnchoredLog } from './compare-anchored.ts';
import { LogDiffers } from './log-differs.ts';

/** Result of comparing the log with its checkpoints and other transactions on the ledger. */
export interface LedgerComparison {
  /** True if every network agrees. Nothing may be signed before. */
  agrees(): boolean;
  /**
   * Resolves when checkpoints may be published: when the log agrees on every network whose ledger
   * it knows. Never resolves if the program ends instead.
   */
  readonly agreed: Promise<void>;
}

interface LedgerComparisonDeps extends Pick<AnchoredLog, 'store' | 'leaves'> {
  /** Every network, with the account that anchors checkpoints there; null if there is none. */
  readonly networks: readonly {
    readonly gateway: LedgerGateway;
    readonly account: string | null;
    /**
     * Compares the signatures of our accounts there. Rejects with `LogDiffers` if the log has
     * forgotten some of them, and with other errors while that is unknown. `otherLedger` means that
     * the servers show another ledger: nothing is signed until an operator declares the fate of the
     * known one.
     */
    readonly compareAccounts: () => Promise<'agrees' | 'otherLedger'>;
  }[];
  /** Aborted when the program ends. */
  readonly draining: AbortSignal;
  /** Called with the newest checkpoint on the ledger, with which the log agrees. */
  readonly onAgrees: (last: object) => void;
  /** Called with the error that prevents a comparison, whenever the error changes. */
  readonly onTrouble: (error: unknown) => void;
  /** Called if the log differs; the program must end. */
  readonly fail: (error: unknown) => void;
}

const firstMs = 5_000;
const retryMs = 2_000;

/**
 * Compares the log with its last anchored checkpoint and with the transactions of our accounts.
 * Does so before anything is served if a ledger answers at once, otherwise as soon as one does.
 * Rejects, or calls `fail`, if the log differs.
 */
export async function compareWithLedger(deps: LedgerComparisonDeps): Promise<LedgerComparison> {
  const { store, networks, draining, onTrouble, fail } = deps;
  const restoring = (await loadLog(store))?.state.restoring ?? null;
  if (restoring !== null) throw new RestoreUnfinished(restoring.epoch);
  const unpublished = new Set(networks);
  const unsigned = new Set(networks);
  const agreed = Promise.withResolvers<void>();
  let lastReported = '';
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
      if (String(error) !== lastReported) onTrouble(error);
      lastReported = String(error);
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
  const verdict = await checkTraces({ of: 'anchoring', store, leaves, gateway, account });
  const last = requireAgreement(verdict);
  if (last !== null) onAgrees(last);
}

/** Waits until a server is connected, every server has been tried once, or `firstMs` has passed. */
async function connected(gateway: LedgerGateway): Promise<void> {
  const tried = () => gateway.servers().every(({ state }) => state !== 'connecting');
  const first = gateway.status.pipe(
    filter((status) => status.connected || tried()),
    timeout(firstMs),
  );
  await firstValueFrom(first).catch(() => null);
}

/** `log restored` has begun, but not finished. */
export class RestoreUnfinished extends OperatorError {
  constructor(epoch: number) {
    super(
      `epoch ${epoch} of the log was opened, but the transactions on the ledger were not reconciled: ` +
        'run `npm run --silent ops -- log restored` again',
    );
  }
}
