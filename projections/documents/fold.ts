import type { DocumentEvent } from '../../src/domain/document/events.ts';
import type {
  AnchorExpired,
  Anchored,
  AnchorPrepared,
  AnchorRefused,
  ProofRequested,
  ProofWithdrawn,
} from '../../src/domain/proof/events.ts';
import { proofOfStream } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { BlockchainStatus } from './blockchain-status.ts';

export type DocumentsEvent = StoredEvent<
  | ProofRequested
  | AnchorPrepared
  | Anchored
  | AnchorExpired
  | AnchorRefused
  | ProofWithdrawn
  | DocumentEvent
>;

export type Requested = Extract<DocumentsEvent, { type: 'ProofRequested' }>;
export type Stored = Extract<DocumentsEvent, { type: DocumentEvent['type'] }>;

/** Ledger data of a proof; hashes in hex. */
interface AnchorFacts {
  readonly transactionHash: string;
  readonly previousTransactionHash: string | null;
  readonly ledgerId: string;
  readonly ledgerIndex: number | null;
  readonly closedAt: string | null;
}

/** Data for folding about a proof that already has rows. */
export interface KnownProof {
  readonly proofId: ProofId;
  readonly organisationId: string;
  readonly workspaceId: string;
  readonly ordinal: number;
  readonly status: BlockchainStatus;
  readonly anchor: AnchorFacts | null;
}

/** A proof before and after a stretch of the log. */
export interface ProofChange {
  /** Null if it had no rows. */
  readonly before: KnownProof | null;
  /** Null if its rows are deleted, or never made. */
  readonly after: KnownProof | null;
  /** Its request, if that is in this stretch. */
  readonly requested: Requested | null;
  /** Its stored file, if that is in this stretch. */
  readonly stored: Stored | null;
}

/**
 * Folds a stretch of the log into one change per proof, so that all changes can be written at once.
 * `ordinalOf` numbers the requests. Ignores events of a proof without rows: its organisation was
 * erased, so its request could not be read. Throws for a file's event without an earlier request of
 * its proof, which this program never writes.
 */
export function foldProofs(
  events: readonly DocumentsEvent[],
  known: ReadonlyMap<ProofId, KnownProof>,
  ordinalOf: (event: Requested) => number,
): ReadonlyMap<ProofId, ProofChange> {
  const changes = new Map<ProofId, ProofChange>();
  for (const event of events) {
    const proofId = proofOf(event);
    const before = known.get(proofId) ?? null;
    const change = changes.get(proofId) ?? { before, after: before, requested: null, stored: null };
    if (event.type === 'ProofRequested') {
      const after = begin(event, ordinalOf(event));
      changes.set(proofId, { ...change, after, requested: event });
    } else if (change.after !== null) {
      changes.set(proofId, { ...change, ...advance(change.after, event) });
    } else if (event.type === 'DocumentStored' || event.type === 'RevisionChained') {
      throw new Error(`${event.type} at position ${event.position} without a proof that it is of`);
    }
  }
  return changes;
}

/** Returns the proof of the event. */
export function proofOf(event: DocumentsEvent): ProofId {
  if (event.type === 'DocumentStored' || event.type === 'RevisionChained') {
    return event.data.proofId;
  }
  const proofId = proofOfStream(event.stream);
  if (proofId === null) throw new Error(`${event.type} in the stream ${event.stream}`);
  return proofId;
}

function begin({ data }: Requested, ordinal: number): KnownProof {
  const { proofId, organisationId, workspaceId } = data;
  return { proofId, organisationId, workspaceId, ordinal, status: 'pending', anchor: null };
}

function advance(
  proof: KnownProof,
  event: Exclude<DocumentsEvent, Requested>,
): Partial<Pick<ProofChange, 'after' | 'stored'>> {
  switch (event.type) {
    case 'AnchorPrepared': {
      const { transactionHash, previousTransactionHash, ledgerId } = event.data;
      const anchor = { transactionHash, previousTransactionHash, ledgerId };
      const open = { ...anchor, ledgerIndex: null, closedAt: null };
      return { after: { ...proof, status: 'processing', anchor: open } };
    }
    case 'Anchored': {
      const { transactionHash, ledgerId, ledgerIndex, closeTimeIso } = event.data;
      const previousTransactionHash = proof.anchor?.previousTransactionHash ?? null;
      const anchor = { transactionHash, previousTransactionHash, ledgerId, ledgerIndex };
      const closed = { ...anchor, closedAt: closeTimeIso };
      return { after: { ...proof, status: 'completed', anchor: closed } };
    }
    case 'AnchorExpired':
      return { after: { ...proof, status: 'pending', anchor: null } };
    case 'AnchorRefused':
    case 'ProofWithdrawn':
      return { after: null };
    case 'DocumentStored':
    case 'RevisionChained':
      return { stored: event };
  }
}
