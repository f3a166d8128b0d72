import type { Kysely } from 'kysely';
import type { Network } from '../../domain/network.ts';
import type { StoreTables } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadCheckpoint } from '../../subscriptions/reactor-checkpoint.ts';
import { AnchoringFold, type AnchoringState, type AnchoringSummary } from './anchoring-fold.ts';
import { backlogTypes } from './backlog-types.ts';

const batchSize = 1_000;

/** Under which name the anchoring of a network keeps its checkpoint. */
export function anchoringCheckpoint(network: Network): string {
  return `anchoring-${network}`;
}

/**
 * What is open on a network now, read as the reactor reads it: from its checkpoint and the log up
 * to its head. Nothing is held, signed or written, so it may be read beside the running service.
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

/** The same with everything that it is made of. */
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
