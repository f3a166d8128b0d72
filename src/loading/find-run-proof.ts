import { hashDecider } from '../domain/hash/decider.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { Digest } from '../domain/proof/digest.ts';
import { isVisible, type VisibleProof } from '../domain/proof/state.ts';
import type { RecordedRun } from '../domain/run/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load } from '../event-store/handling/load.ts';
import { hashStream } from './hash-stream.ts';

/** The proof of a run's statement in the workspace of the run; null if there is none. */
export async function findRunProof(
  store: Pick<EventStore, 'index' | 'readStream'>,
  { organisationId, workspaceId }: Pick<RecordedRun, 'organisationId' | 'workspaceId'>,
  fileHash: Digest,
): Promise<VisibleProof | null> {
  if (workspaceId === null) return null;
  const stream = await hashStream(store, { organisationId, workspaceId, fileHash });
  const { state: hash } = await load(store, stream, hashDecider);
  if (hash.status !== 'claimed') return null;
  const { state } = await load(store, streams.proof(hash.proofId), proofDecider);
  return isVisible(state) ? state : null;
}
