import { proofOfStream } from '../../../src/domain/streams.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';

/** A change of a proof in the event log, or the signatures of the validators for a ledger. */
export type ProofFact = ProofChange | LedgerFact;

interface At {
  /** Position in the log. */
  readonly position: number;
  /** Time of the record, before its commit; Unix milliseconds. */
  readonly at: number;
}

export type ProofChange = At & {
  readonly organisationId: string;
  readonly proofId: string;
} & (
    | {
        readonly type: 'requested';
        readonly workspace: string;
        readonly fileHash: string;
        readonly fileName: string | null;
        readonly description: string | null;
        readonly hashScheme: string;
        readonly commitment: string | null;
        readonly requestedAt: string;
      }
    | { readonly type: 'queued' | 'expired' | 'withdrawn' }
    | { readonly type: 'prepared'; readonly txHash: string }
    | {
        readonly type: 'anchored';
        readonly txHash: string;
        readonly ledgerIndex: number;
        readonly timestamp: string;
      }
  );

export type LedgerFact = At & { readonly type: 'attested'; readonly ledgerIndex: number };

/** The facts of an event about proofs; empty for all others. */
export function factsOf(event: StoredEvent): readonly ProofFact[] {
  const { position, organisationId } = event;
  const at = Date.parse(event.recordedAt);
  if (event.type === 'LedgerAttested' || event.type === 'LedgerLinked') {
    return [{ position, at, type: 'attested', ledgerIndex: event.data.ledgerIndex }];
  }
  const proofId = proofOfStream(event.stream);
  if (proofId === null || organisationId === null) return [];
  const of = { position, at, organisationId, proofId };
  switch (event.type) {
    case 'ProofRequested': {
      const { workspaceId, fileHash, fileName, description, hashScheme, commitment } = event.data;
      const file = { workspace: workspaceId, fileHash, fileName, description };
      const requestedAt = event.recordedAt;
      return [{ ...of, type: 'requested', ...file, hashScheme, commitment, requestedAt }];
    }
    case 'ProofQueued':
      return [{ ...of, type: 'queued' }];
    case 'AnchorPrepared':
      return [{ ...of, type: 'prepared', txHash: event.data.transactionHash }];
    case 'Anchored': {
      const { transactionHash: txHash, ledgerIndex, closeTimeIso: timestamp } = event.data;
      return [{ ...of, type: 'anchored', txHash, ledgerIndex, timestamp }];
    }
    case 'AnchorExpired':
      return [{ ...of, type: 'expired' }];
    case 'ProofWithdrawn':
    case 'AnchorRefused':
      return [{ ...of, type: 'withdrawn' }];
    default:
      return [];
  }
}
