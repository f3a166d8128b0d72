import { isStandaloneNetwork } from '../../projections/anchors/query.ts';
import type { Network } from '../domain/network.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { ReadModels } from '../subscriptions/projection.ts';

export interface KnownLedgers {
  /**
   * Returns true for a development ledger of this project; false if the ledger is not on record.
   */
  isStandalone(ledgerId: string): Promise<boolean>;
  /** Returns true if the network's present ledger is a development ledger of this project. */
  isStandaloneNetwork(network: Network): Promise<boolean>;
}

const networkAgeMs = 1_000;

/**
 * Reads from the log how a ledger was joined. The record never changes, so it is cached. The
 * present ledger of a network is cached for a second, since pages of a list ask for it often.
 */
export function createKnownLedgers(deps: {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly db: ReadModels;
}): KnownLedgers {
  const known = new Map<string, boolean>();
  const networks = new Map<
    Network,
    { readonly until: number; readonly answer: Promise<boolean> }
  >();
  const read = async (ledgerId: string): Promise<boolean> => {
    const events = await deps.store.readStream(streams.ledger(ledgerId));
    const joined = events.find((event) => event.type === 'LedgerJoined');
    if (joined === undefined) return false;
    known.set(ledgerId, joined.data.standalone);
    return joined.data.standalone;
  };
  return {
    isStandalone: async (ledgerId) => known.get(ledgerId) ?? read(ledgerId),
    isStandaloneNetwork(network) {
      const cached = networks.get(network);
      if (cached !== undefined && cached.until > performance.now()) return cached.answer;
      const answer = isStandaloneNetwork(deps.db, network);
      networks.set(network, { until: performance.now() + networkAgeMs, answer });
      return answer;
    },
  };
}

/** Returns true for a proof of a development ledger, also before a transaction names the ledger. */
export function isStandalone(
  ledgers: KnownLedgers,
  proof: { readonly network: Network; readonly ledgerId: string | null },
): Promise<boolean> {
  return proof.ledgerId === null
    ? ledgers.isStandaloneNetwork(proof.network)
    : ledgers.isStandalone(proof.ledgerId);
}
