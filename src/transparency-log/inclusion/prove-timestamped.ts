import type { CheckpointTimestamped, TimestampEvent } from '../../domain/log/timestamp-events.ts';
import { requireAnchored } from '../../domain/proof/require-anchored.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import type { OrganisationId, ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { anchoredAt } from '../../loading/find-anchored.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import { textOf } from '../checkpoint/checkpoint.ts';
import { type ProvenLeaf, type ProvingDeps, proveInTree } from './prove-event.ts';

interface StampedProofDeps extends ProvingDeps {
  readonly store: Pick<EventStore, 'readLast'>;
}

interface TimestampProofDeps extends StampedProofDeps {
  readonly store: Pick<EventStore, 'readStream' | 'readLast'>;
  /** The stream with the token of the earliest checkpoint that covers an event; null if none does. */
  readonly findTimestamp: (position: number) => Promise<StreamName<TimestampEvent> | null>;
}

/** Evidence that an event is in the tree of a checkpoint with a time-stamp token. */
export interface TimestampedLeaf extends ProvenLeaf {
  readonly timestamp: CheckpointTimestamped['data'];
  /** Text of the checkpoint, whose SHA-256 the token is of. */
  readonly checkpointText: string;
}

/**
 * Proves that a proof's Anchored event is in the log, against the earliest checkpoint with a
 * time-stamp token. Refuses with PROOF_NOT_FOUND, PROOF_NOT_ANCHORED, or TIMESTAMP_PENDING if no
 * token covers the event yet.
 */
export async function proveTimestamped(
  deps: TimestampProofDeps,
  of: { readonly organisationId: OrganisationId; readonly proofId: ProofId },
): Promise<TimestampedLeaf> {
  const { store } = deps;
  requireAnchored(await loadOwnProof(store, of));
  const position = await anchoredAt(store, of.proofId);
  const stream = await deps.findTimestamp(position);
  if (stream === null) {
    throw new Refusal(
      'TIMESTAMP_PENDING',
      'no time-stamp token covers this proof yet; try again in an hour, if the operator has ' +
        'configured a time-stamping authority',
    );
  }
  return proveStamped(deps, stream, position);
}

/**
 * Proves that an event is in the tree of the checkpoint whose token a stream has. The checkpoint may
 * be of an earlier epoch of the log. Rejects as `proveInTree`.
 */
export async function proveStamped(
  deps: StampedProofDeps,
  stream: StreamName<TimestampEvent>,
  position: number,
): Promise<TimestampedLeaf> {
  const recorded = await deps.store.readLast(stream);
  if (recorded === null) throw new Error(`${stream} has no token`);
  const { data: timestamp } = recorded;
  const { origin, size, rootHash } = timestamp;
  const tree = { origin, size, root: Buffer.from(rootHash, 'hex') };
  const proven = await proveInTree(deps, position, tree);
  return { ...proven, timestamp, checkpointText: textOf(timestamp).toString('utf8') };
}
