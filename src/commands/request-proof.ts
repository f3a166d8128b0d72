import { evolveHash, freeHash } from '../domain/hash/state.ts';
import type { Network } from '../domain/network.ts';
import { requestProof as decideRequest, queueProof } from '../domain/proof/decide.ts';
import type { Digest } from '../domain/proof/digest.ts';
import { evolveProof } from '../domain/proof/evolve.ts';
import type { HashScheme } from '../domain/proof/hash-scheme.ts';
import { type ProofState, unknownProof } from '../domain/proof/state.ts';
import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../domain/ulid.ts';
import { evolveWorkspace, unknownWorkspace } from '../domain/workspace/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { load } from './load.ts';
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

/** The proof that now stands for the hash; `created` is false if there was one, which is joined. */
export interface RequestedProof {
  readonly proofId: ProofId;
  readonly created: boolean;
  readonly state: ProofState;
}

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
  const { organisationId, workspaceId, fileHash, respondAsync, ...details } = order;
  await requireWorkspace(store, organisationId, workspaceId);
  const indexed = await store.index(organisationId, fileHash);
  if (indexed === null) throw new Error(`organisation ${organisationId} has no keys`);
  const hashStream = streams.hash(workspaceId, indexed);

  return retryOnConflict(async () => {
    const hash = await load(store, hashStream, freeHash, evolveHash);
    if (hash.state.status === 'claimed') {
      return joinProof(store, organisationId, hash.state.proofId, respondAsync, meta);
    }
    const proofId = deps.newId() as ProofId;
    const nonce = deps.randomBytes(nonceBytes).toString('hex');
    const decision = decideRequest(
      { ...details, proofId, organisationId, workspaceId, fileHash, nonce },
      respondAsync ? 'respondAsync' : null,
    );
    const proofStream = streams.proof(proofId);
    await store.append(
      [
        { organisationId, stream: proofStream, expectedVersion: 0, events: decision.proof },
        {
          organisationId,
          stream: hashStream,
          expectedVersion: hash.version,
          events: decision.hash,
        },
      ],
      meta,
    );
    const { state } = await load(store, proofStream, unknownProof, evolveProof);
    return { proofId, created: true, state };
  });
}

const nonceBytes = 32;

async function requireWorkspace(
  store: EventStore,
  organisationId: OrganisationId,
  workspaceId: WorkspaceId,
): Promise<void> {
  const stream = streams.workspace(workspaceId);
  const { state } = await load(store, stream, unknownWorkspace, evolveWorkspace);
  if (state.status === 'unknown' || state.organisationId !== organisationId) {
    throw new Refusal('INVALID_WORKSPACE', 'workspace: no such workspace in this organisation');
  }
}

async function joinProof(
  store: EventStore,
  organisationId: OrganisationId,
  proofId: ProofId,
  respondAsync: boolean,
  meta: EventMeta,
): Promise<RequestedProof> {
  const stream = streams.proof(proofId);
  const { state, version } = await load(store, stream, unknownProof, evolveProof);
  const events = respondAsync ? queueProof(state, 'respondAsync').proof : [];
  if (events.length > 0) {
    await store.append([{ organisationId, stream, expectedVersion: version, events }], meta);
  }
  return { proofId, created: false, state };
}
