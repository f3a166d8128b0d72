import type { Backlog } from '../../anchoring-state/backlog.ts';
import { proofDecider } from '../../domain/proof/decider.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { fold } from '../../event-store/handling/load.ts';

const maxLookUps = 500;

/**
 * Looks up the fate of previous proofs that waiting revisions need and the backlog does not know.
 * Resolves with true if anything was read: more look-ups may follow.
 */
export async function linkRevisions(
  store: Pick<EventStore, 'readStreams'>,
  backlog: Backlog,
  ledgerIndex: number,
): Promise<boolean> {
  const links = backlog.linksToLookUp(maxLookUps, ledgerIndex);
  if (links.length === 0) return false;
  const names = new Set(links.map(({ previousProofId }) => streams.proof(previousProofId)));
  const read = await store.readStreams([...names]);
  for (const link of links) {
    const events = read.get(streams.proof(link.previousProofId)) ?? [];
    backlog.linkLookedUp(link, fold(events, proofDecider).state, ledgerIndex);
  }
  return true;
}
