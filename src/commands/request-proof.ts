import { hashDecider } from '../domain/hash/decider.ts';
import type { HashEvent } from '../domain/hash/events.ts';
import type { HashState } from '../domain/hash/state.ts';
import type { Network } from '../domain/network.ts';
import {
  requestProof as decideRequest,
  type ProofDecision,
  queueProof,
} from '../domain/proof/decide.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { Digest } from '../domain/proof/digest.ts';
import type { HashScheme } from '../domain/proof/hash-scheme.ts';
import { isVisible, type VisibleProof } from '../domain/proof/state.ts';
import { Refusal } from '../domain/refusal.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../domain/ulid.ts';
import { workspaceDecider } from '../domain/workspace/decider.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { hashStream } from './hash-stream.ts';
import { fold, type Loaded, load } from './load.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

export interface ProofOrder {
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
  readonly network: Network;
  readonly hashScheme: HashScheme;
  readonly fileHash: Digest;
  readonly fileName: string | null;
  readonly fileSizeBytes: number | null;
  readonly mimeType: string | null;
  readonly description: string | null;
  /** The caller will not wait: the proof is queued from the start. */
  readonly respondAsync: boolean;
}

/**
 * The proof that now stands for the hash. `created` is false if there was one, which is joined;
 * `state` is then how it stood. One that was created now has no state yet to speak of: null.
 */
export interface RequestedProof {
  readonly proofId: ProofId;
  readonly created: boolean;
  readonly state: VisibleProof | null;
}

const nonceBytes = 32;

/**
 * Claims the hash in its workspace and requests its proof, or finds the proof that has claimed it:
 * of any number of concurrent calls one creates. Refuses with INVALID_WORKSPACE if the workspace is
 * not the organisation's.
 */
export async function requestProof(
  deps: {
    readonly store: EventStore;
    readonly newId: () => string;
    readonly randomBytes: (count: number) => Buffer;
  },
  order: ProofOrder,
  meta: EventMeta,
): Promise<RequestedProof> {
  const { store } = deps;
  const { organisationId } = order;
  const hashName = await hashStream(store, order);

  const attempt = async (): Promise<RequestedProof> => {
    const hash = await loadHash(store, order, hashName);
    if (hash.state.status === 'claimed') {
      const joined = await joinProof(store, order, hash.state.proofId, meta);
      // Null: it was rolled back meanwhile, which released the hash.
      return joined ?? attempt();
    }
    const proofId = deps.newId() as ProofId;
    const decision = decideOrder(order, proofId, deps.randomBytes(nonceBytes));
    const proof = { stream: streams.proof(proofId), expectedVersion: 0, events: decision.proof };
    const claim = { stream: hashName, expectedVersion: hash.version, events: decision.hash };
    await store.append(
      [
        { organisationId, ...proof },
        { organisationId, ...claim },
      ],
      meta,
    );
    return { proofId, created: true, state: null };
  };
  return retryOnConflict(attempt);
}

/** Reads the hash together with its workspace, in one query. */
async function loadHash(
  store: EventStore,
  { organisationId, workspaceId }: ProofOrder,
  hashName: StreamName<HashEvent>,
): Promise<Loaded<HashState>> {
  const workspaceStream = streams.workspace(workspaceId);
  const read = await store.readStreams([workspaceStream, hashName]);
  const workspace = fold(read.get(workspaceStream), workspaceDecider);
  if (workspace.state.status === 'unknown' || workspace.state.organisationId !== organisationId) {
    throw new Refusal('INVALID_WORKSPACE', 'workspace: no such workspace in this organisation');
  }
  return fold(read.get(hashName), hashDecider);
}

function decideOrder(order: ProofOrder, proofId: ProofId, nonce: Buffer): ProofDecision {
  const { respondAsync, ...request } = order;
  return decideRequest(
    { ...request, proofId, nonce: nonce.toString('hex'), document: null },
    respondAsync ? 'respondAsync' : null,
  );
}

/** Null if the proof is gone for callers. */
async function joinProof(
  store: EventStore,
  { organisationId, respondAsync }: ProofOrder,
  proofId: ProofId,
  meta: EventMeta,
): Promise<RequestedProof | null> {
  const stream = streams.proof(proofId);
  const { state, version } = await load(store, stream, proofDecider);
  if (!isVisible(state)) return null;
  const events = respondAsync ? queueProof(state, 'respondAsync').proof : [];
  if (events.length > 0) {
    await store.append([{ organisationId, stream, expectedVersion: version, events }], meta);
  }
  return { proofId, created: false, state };
}
