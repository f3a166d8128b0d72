import { hashDecider } from '../domain/hash/decider.ts';
import type { HashEvent } from '../domain/hash/events.ts';
import type { HashState } from '../domain/hash/state.ts';
import type { Network } from '../domain/network.ts';
import { type ProofDecision, proofDecider } from '../domain/proof/decider.ts';
import type { Digest } from '../domain/proof/digest.ts';
import type { ProofEvent } from '../domain/proof/events.ts';
import type { HashScheme } from '../domain/proof/hash-scheme.ts';
import type { ProofMetadata } from '../domain/proof/metadata.ts';
import { isVisible, type ProofState, type VisibleProof } from '../domain/proof/state.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import { fold, type Loaded, load } from '../event-store/handling/load.ts';
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
  const decide = () => decideRequest(deps, order, hashName);
  const decided = await handleStreams(deps.store, decide, meta);
  const { proofId, created, state, requested, appended } = decided;
  if (requested === null || appended === null) return { proofId, created, state };
  const { recordedAt, lastPosition: position } = appended;
  const recorded = requested.map((event) => ({ ...event, recordedAt }));
  return { proofId, created, state, opened: { ...fold(recorded, proofDecider), position } };
}

/** A request as decided, to be appended. */
interface DecidedRequest extends Omit<RequestedProof, 'opened'> {
  readonly entries: readonly StreamAppend[];
  /** Events of a proof created now. */
  readonly requested: readonly ProofEvent[] | null;
}

/** Decides `requestProof` on the present state of the hash `hashName`. */
export async function decideRequest(
  deps: RequestProofDeps,
  order: ProofOrder,
  hashName: StreamName<HashEvent>,
): Promise<DecidedRequest> {
  const { store } = deps;
  const { organisationId } = order;
  const hash = await loadHash(store, order, hashName);
  if (hash.state.status === 'claimed') {
    const joined = await joinProof(store, order, hash.state.proofId);
    // Null: the proof was rolled back meanwhile, which released the hash.
    return joined ?? decideRequest(deps, order, hashName);
  }
  deps.beforeCreation?.();
  const proofId = deps.newId() as ProofId;
  const decision = decideOrder(order, proofId, deps.randomBytes(nonceBytes));
  const proof = { stream: streams.proof(proofId), expectedVersion: 0, events: decision.proof };
  const claim = { stream: hashName, expectedVersion: hash.version, events: decision.hash };
  const entries = [
    { organisationId, ...proof },
    { organisationId, ...claim },
  ];
  return { proofId, created: true, state: null, entries, requested: decision.proof };
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
): Promise<DecidedRequest | null> {
  const stream = streams.proof(proofId);
  const { state, version } = await load(store, stream, proofDecider);
  if (!isVisible(state)) return null;
  const events = respondAsync ? proofDecider.queue(state, 'respondAsync').proof : [];
  const queued = { organisationId, stream, expectedVersion: version, events };
  const entries = events.length > 0 ? [queued] : [];
  return { proofId, created: false, state, entries, requested: null };
}
