import type { DomainEvent } from '../../../domain/events.ts';
import type { FeedEvent } from '../../../subscriptions/organisation-feed.ts';

/** State of a proof as pages show it: of the API, or ended. */
export type LiveStatus = 'pending' | 'processing' | 'completed' | 'withdrawn' | 'refused';

const statuses: Readonly<Partial<Record<DomainEvent['type'], LiveStatus>>> = {
  ProofRequested: 'pending',
  AnchorPrepared: 'processing',
  Anchored: 'completed',
  // A proof that is not withdrawn after it is anchored by another transaction.
  AnchorExpired: 'pending',
  ProofWithdrawn: 'withdrawn',
  AnchorRefused: 'refused',
};

/** Types of events that change what an open page shows. */
export const liveTypes = [
  ...(Object.keys(statuses) as DomainEvent['type'][]),
  'UnitTaken',
] as const satisfies readonly DomainEvent['type'][];

/** The new state of a proof; null for an event of another thing. */
export function proofChange({ stream, type }: Pick<FeedEvent, 'stream' | 'type'>): {
  readonly proofId: string;
  readonly status: LiveStatus;
} | null {
  const status = statuses[type];
  const proofId = /^proof-(\w{26})$/.exec(stream)?.[1];
  return status === undefined || proofId === undefined ? null : { proofId, status };
}
