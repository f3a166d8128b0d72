import { setTimeout as delay } from 'node:timers/promises';
import { filter, firstValueFrom, timeout } from 'rxjs';
import type { Network } from '../domain/network.ts';
import type { LedgerGateway } from '../ledger/contract.ts';
import {
  check,
  LogUnconfirmed,
  requireAgreement,
  requireRestored,
  type Traces,
} from '../transparency-log/guard/check.ts';

/** Result of comparing the log with its checkpoints and other transactions on the ledger. */
export interface LedgerComparison {
  /**
   * True if transactions may be signed for the network: it agrees, and so does the ledger with the
   * checkpoints. Another network that is away holds up nothing.
   */
  agrees(network: Network): boolean;
  /** True if checkpoints may be published: `agreed` has resolved. */
  mayPublish(): boolean;
  /**
   * Resolves when the log agrees with the ledgers of the checkpoints and of new proofs, as far as it
   * knows these ledgers. Never resolves if the program ends instead.
   */
  readonly agreed: Promise<void>;
}

interface LedgerComparisonDeps extends Pick<Traces['anchoring'], 'store' | 'leaves'> {
  /**
   * Every network, that of new proofs first, with the account that anchors checkpoints there; null if
   * there is none.
   */
  readonly networks: readonly {
    readonly gateway: LedgerGateway;
    readonly account: string | null;
    /**
     * Compares the signatures of our accounts there. Rejects with a final `LogUnconfirmed` if the log
     * has forgotten some of them, and with other errors while that is unknown. `otherLedger` means that
     * the servers show another ledger: nothing is signed until an operator declares the fate of the
     * known one.
     */
    readonly compareAccounts: () => Promise<'agrees' | 'otherLedger'>;
  }[];
  /** How long to wait for the first comparison of every network; default 30 s. */
  readonly patienceMs?: number;
  /** Aborted when the program ends. */
  readonly draining: AbortSignal;
  /** Called with the newest checkpoint on the ledger, with which the log agrees. */
  readonly onAgrees: (last: object) => void;
  /** Called with the error that prevents a comparison, whenever the error changes. */
  readonly onTrouble: (error: unknown) => void;
  /** Called if the log differs; the program must end. */
  readonly fail: (error: unknown) => void;
}

type ComparedNetwork = LedgerComparisonDeps['networks'][number];

const firstMs = 5_000;
const retryMs = 2_000;

/**
 * Compares the log with its last anchored checkpoint and with the transactions of our accounts.
 * Does so before anything is served if a ledger answers at once, otherwise as soon as one does.
 * Rejects, or calls `fail`, if the log differs.
 */
export async function compareWithLedger(deps: LedgerComparisonDeps): Promise<LedgerComparison> {
  const { store, networks, patienceMs = 30_000, draining, onTrouble, fail } = deps;
  const state = await requireRestored(store);
  const holding = networks.filter(({ account }) => account !== null);
  // Without a configured account, any of these ledgers may have the checkpoints of an earlier one.
  const withCheckpoints = holding.length > 0 || state?.anchored == null ? holding : networks;
  const unpublished = new Set(networks);
  const unsigned = new Set(networks);
  const agreed = Promise.withResolvers<void>();
  const lastReported = new Map<ComparedNetwork, string>();
  const attemptOn = async (network: ComparedNetwork) => {
    try {
      if (unpublished.has(network)) await compareCheckpoint(deps, network);
      const found = await network.compareAccounts();
      if (found === 'agrees') unsigned.delete(network);
      unpublished.delete(network);
      if (mayPublish()) agreed.resolve();
    } catch (error) {
      if (error instanceof LogUnconfirmed && error.isFinal) throw error;
      if (String(error) !== lastReported.get(network)) onTrouble(error);
      lastReported.set(network, String(error));
    }
  };
  const isKnown = (compared: readonly ComparedNetwork[]) =>
    compared.every((network) => !unpublished.has(network));
  const mayPublish = () => isKnown([...networks.slice(0, 1), ...withCheckpoints]);
  const goOn = async (network: ComparedNetwork, first: Promise<void>) => {
    await first;
    while (unsigned.has(network)) {
      await delay(retryMs, undefined, { signal: draining });
      await attemptOn(network);
    }
  };
  await Promise.all(networks.map(({ gateway }) => connected(gateway)));
  const attempts = networks.map((network) => ({ network, first: attemptOn(network) }));
  const patience = delay(patienceMs, undefined, { ref: false });
  await Promise.race([patience, Promise.all(attempts.map(({ first }) => first))]);
  for (const { network, first } of attempts) {
    goOn(network, first).catch((error: unknown) => {
      if (!draining.aborted) fail(error);
    });
  }
  const agrees = (network: Network) =>
    isKnown(withCheckpoints) && ![...unsigned].some(({ gateway }) => gateway.network === network);
  return { agrees, mayPublish, agreed: agreed.promise };
}

async function compareCheckpoint(
  { store, leaves, onAgrees }: LedgerComparisonDeps,
  { gateway, account }: ComparedNetwork,
): Promise<void> {
  const last = requireAgreement(await check('anchoring', { store, leaves, gateway, account }));
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
