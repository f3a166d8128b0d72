import type { Kysely } from 'kysely';
import type { Network } from '../domain/network.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { loadCheckpoint } from '../subscriptions/reactor-checkpoint.ts';
import { AnchoringFold, type AnchoringState, type AnchoringSummary } from './anchoring-fold.ts';
import { backlogTypes } from './backlog-types.ts';

const batchSize = 1_000;

/** Name of the checkpoint of a network's anchoring. */
export function anchoringCheckpoint(network: Network): string {
  return `anchoring-${network}`;
}

/**
 * Reads the open proofs of a network as the reactor does: from its checkpoint and the log up to its
 * head. Locks, signs and writes nothing, so it can run beside the service.
 */
export async function readAnchoring(
  deps: AnchoringSource,
  network: Network,
): Promise<AnchoringSummary> {
  return (await foldAnchoring(deps, network)).summary;
}

export interface AnchoringSource {
  readonly store: EventStore;
  readonly db: Kysely<StoreTables>;
}

/** Returns the whole fold from which `readAnchoring` takes its summary. */
export async function foldAnchoring(
  deps: AnchoringSource,
  network: Network,
): Promise<AnchoringFold> {
  const fold = new AnchoringFold(network);
  const saved = await loadCheckpoint<AnchoringState>(deps.db, anchoringCheckpoint(network));
  if (saved) await fold.restore(deps.store, saved.position, saved.state);
  for (;;) {
    const page = await deps.store.readPage(fold.position, batchSize, backlogTypes);
    if (page.position === fold.position) return fold;
    fold.observe(page.events, page.position);
  }
}
