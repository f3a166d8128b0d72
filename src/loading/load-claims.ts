import { hashDecider } from '../domain/hash/decider.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { Digest } from '../domain/proof/digest.ts';
import { isVisible, type VisibleProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/handling/load.ts';
import { hashStream } from './hash-stream.ts';

/** Streams in one statement. */
const readTogether = 500;

/**
 * The proofs that have claimed these hashes in a workspace of the organisation. A hash without a
 * proof that callers can see is absent. Refuses with `OrganisationShut`.
 */
export async function loadClaims(
  store: Pick<EventStore, 'index' | 'readStreams'>,
  of: { readonly organisationId: OrganisationId; readonly workspaceId: WorkspaceId },
  hashes: readonly Digest[],
): Promise<ReadonlyMap<Digest, VisibleProof>> {
  const found = new Map<Digest, VisibleProof>();
  for (let start = 0; start < hashes.length; start += readTogether) {
    const some = hashes.slice(start, start + readTogether);
    for (const [hash, state] of await loadSome(store, of, some)) found.set(hash, state);
  }
  return found;
}

async function loadSome(
  store: Parameters<typeof loadClaims>[0],
  of: Parameters<typeof loadClaims>[1],
  hashes: readonly Digest[],
): Promise<readonly (readonly [Digest, VisibleProof])[]> {
  const named = await Promise.all(
    hashes.map(async (fileHash) => ({
      fileHash,
      name: await hashStream(store, { ...of, fileHash }),
    })),
  );
  const claims = await store.readStreams(named.map(({ name }) => name));
  const claimed = named.flatMap(({ fileHash, name }): (readonly [Digest, ProofId])[] => {
    const { state } = fold(claims.get(name), hashDecider);
    return state.status === 'claimed' ? [[fileHash, state.proofId]] : [];
  });
  const proofs = await store.readStreams(claimed.map(([, proofId]) => streams.proof(proofId)));
  return claimed.flatMap(([fileHash, proofId]): (readonly [Digest, VisibleProof])[] => {
    const { state } = fold(proofs.get(streams.proof(proofId)), proofDecider);
    // A proof that was rolled back meanwhile has released the hash.
    return isVisible(state) ? [[fileHash, state]] : [];
  });
}
