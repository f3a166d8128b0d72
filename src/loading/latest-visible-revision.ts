import type { Revision, StoredDocument } from '../domain/document/state.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import { isVisible, type VisibleProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/handling/load.ts';

const maxBatch = 64;

/** The newest revision that callers can see, with its proof; null if there is none. */
export async function latestVisibleRevision(
  store: Pick<EventStore, 'readStreams'>,
  chain: StoredDocument,
): Promise<{ readonly revision: Revision; readonly proof: VisibleProof } | null> {
  let next: Revision | null = chain.latest;
  // The first revision is nearly always visible. Batches grow with the distance from it.
  for (let size = 1; next !== null; size = Math.min(size * 2, maxBatch)) {
    const batch: Revision[] = [];
    for (; next !== null && batch.length < size; next = next.before) batch.push(next);
    const read = await store.readStreams(batch.map(({ proofId }) => streams.proof(proofId)));
    for (const revision of batch) {
      const events = read.get(streams.proof(revision.proofId)) ?? [];
      const { state } = fold(events, proofDecider);
      if (isVisible(state)) return { revision, proof: state };
    }
  }
  return null;
}
