import { hashDecider } from '../domain/hash/decider.ts';
import type { HashEvent } from '../domain/hash/events.ts';
import type { HashState } from '../domain/hash/state.ts';
import type { Network } from '../domain/network.ts';
import { type ProofDecision, proofDecider } from '../domain/proof/decider.ts';
import type { Digest } from '../domain/proof/digest.ts';
import type { HashScheme } from '../domain/proof/hash-scheme.ts';
import type { ProofMetadata } from '../domain/proof/metadata.ts';
import { isVisible, type ProofState, type VisibleProof } from '../domain/proof/state.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import { fold, type Loaded, load } from '../event-store/handling/load.ts';
import { retryOnConflict } from '../event-store/handling/retry-on-conflict.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { hashStream } from '../loading/hash-stream.ts';
import { checkWorkspace } from '../loading/require-workspace.ts';

export interface RequestProofDeps {
  readonly store: EventStore;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  /** May refuse a proof that does not exist yet; nothing is appended then. */
  readonly beforeCreation?: () => void;
}

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
  /** Further members of the metadata. */
  readonly metadata?: ProofMetadata | null;
  /** The caller does not wait: the proof is queued from the start. */
  readonly respondAsync: boolean;
}

/**
 * The current proof of the hash. `created` is false if the call joined an existing proof, whose
 * state is then in `state`. `state` is null for a proof created now.
 */
interface RequestedProof {
  readonly proofId: ProofId;
  readonly created: boolean;
  readonly state: VisibleProof | null;
  /** A proof created now, as it was appended, with the log position of its last event. */
  readonly opened?: Loaded<ProofState> & { readonly position: number };
}

const nonceBytes = 32;

/**
 * Claims the hash in its workspace and requests its proof, or finds the proof that has claimed it.
 * Of any number of concurrent calls, one creates the proof. Refuses with INVALID_WORKSPACE if the
 * workspace is not the organisation's.
 */
export async function requestProof(
  deps: RequestProofDeps,
  order: ProofOrder,
  meta: EventMeta,
): Promise<RequestedProof> {
  const hashName = await hashStream(deps.store, order);
  return retryOnConflict(() => attemptRequest(deps, order, hashName, meta));
}

/**
 * One attempt of `requestProof`: rejects with `VersionConflict` if another call was faster. The
 * events of `also` are appended in the same transaction, or alone if there is nothing to request.
 */
export async function attemptRequest(
  deps: RequestProofDeps,
  order: ProofOrder,
  hashName: StreamName<HashEvent>,
  meta: EventMeta,
  also: readonly StreamAppend[] = [],
): Promise<RequestedProof> {
  const { store } = deps;
  const { organisationId } = order;
  const hash = await loadHash(store, order, hashName);
  if (hash.state.status === 'claimed') {
    const joined = await joinProof(store, order, hash.state.proofId, meta, also);
    // Null: the proof was rolled back meanwhile, which released the hash.
    return joined ?? attemptRequest(deps, order, hashName, meta, also);
  }
  deps.beforeCreation?.();
  const proofId = deps.newId() as ProofId;
  const decision = decideOrder(order, proofId, deps.randomBytes(nonceBytes));
  const proof = { stream: streams.proof(proofId), expectedVersion: 0, events: decision.proof };
  const claim = { stream: hashName, expectedVersion: hash.version, events: decision.hash };
  const { lastPosition, recordedAt } = await store.append(
    [...also, { organisationId, ...proof }, { organisationId, ...claim }],
    meta,
  );
  const recorded = decision.proof.map((event) => ({ ...event, recordedAt }));
  const opened = { ...fold(recorded, proofDecider), position: lastPosition };
  return { proofId, created: true, state: null, opened };
}

/** Reads the hash together with its workspace, in one query. */
async function loadHash(
  store: EventStore,
  { organisationId, workspaceId }: ProofOrder,
  hashName: StreamName<HashEvent>,
): Promise<Loaded<HashState>> {
  const workspaceStream = streams.workspace(workspaceId);
  const read = await store.readStreams([workspaceStream, hashName]);
  checkWorkspace(read.get(workspaceStream), organisationId);
  return fold(read.get(hashName), hashDecider);
}

function decideOrder(order: ProofOrder, proofId: ProofId, nonce: Buffer): ProofDecision {
  const { respondAsync, ...request } = order;
  return proofDecider.request(
    { ...request, proofId, nonce: nonce.toString('hex'), document: null },
    respondAsync ? 'respondAsync' : null,
  );
}

/** Joins the proof; null if callers can no longer see it. */
async function joinProof(
  store: EventStore,
  { organisationId, respondAsync }: ProofOrder,
  proofId: ProofId,
  meta: EventMeta,
  also: readonly StreamAppend[],
): Promise<RequestedProof | null> {
  const stream = streams.proof(proofId);
  const { state, version } = await load(store, stream, proofDecider);
  if (!isVisible(state)) return null;
  const events = respondAsync ? proofDecider.queue(state, 'respondAsync').proof : [];
  const queued = { organisationId, stream, expectedVersion: version, events };
  const entries = events.length > 0 ? [...also, queued] : also;
  if (entries.length > 0) await store.append(entries, meta);
  return { proofId, created: false, state };
}
