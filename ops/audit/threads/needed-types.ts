import type { DomainEvent } from '../../../src/domain/events.ts';
import { closings } from '../streams/recorded-times.ts';
import { referenceTypes } from '../streams/reference-audit.ts';

/** Types of the events that `AnchorAudit`, `KeyAudit` and `ReferenceAudit` need. */
const neededTypes: ReadonlySet<string> = new Set<DomainEvent['type'] | string>([
  ...referenceTypes,
  ...(['ProofRequested', 'AnchorPrepared', 'SequencesTaken'] as const),
  ...(['CheckpointRequested', 'CheckpointPrepared'] as const),
  ...(['LogRestored', 'LedgerAttested', 'LedgerLinked', 'OrganisationOpened'] as const),
  ...(['ValidatorListPublished', 'ValidatorManifestPublished'] as const),
]);

/**
 * Need for an event beyond its row: 0 none, 1 its data, 2 its data and the time of its ledger
 * (`RecordedTimes`).
 */
export function needOf(type: string): 0 | 1 | 2 {
  if (closings.has(type)) return 2;
  return neededTypes.has(type) ? 1 : 0;
}
