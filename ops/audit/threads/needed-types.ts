import type { DomainEvent } from '../../../src/domain/events.ts';
import { closings } from '../streams/recorded-times.ts';
import { referenceTypes } from '../streams/reference-audit.ts';

/** Types of the events that `AnchorAudit`, `TimestampAudit` and `KeyAudit` need. */
const evidenceTypes: ReadonlySet<string> = new Set<DomainEvent['type'] | string>([
  ...closings,
  ...(['LedgerJoined', 'CheckpointTimestamped'] as const),
  ...(['ProofRequested', 'AnchorPrepared', 'SequencesTaken'] as const),
  ...(['CheckpointRequested', 'CheckpointPrepared'] as const),
  ...(['LogRestored', 'LedgerAttested', 'LedgerLinked', 'OrganisationOpened'] as const),
  ...(['ValidatorListPublished', 'ValidatorManifestPublished'] as const),
]);

/** Bits of `needOf`: parts of an audit that need the event beyond its row. */
export const needs = {
  /** `AnchorAudit`, `TimestampAudit` and `KeyAudit` need its data. */
  evidence: 1,
  /** `ReferenceAudit` needs its data. */
  references: 2,
  /** `RecordedTimes` needs the time of the ledger in its data. */
  closing: 4,
} as const;

/** Needs for events of this type. */
export function needOf(type: string): number {
  return needsByType.get(type) ?? 0;
}

const needsByType: ReadonlyMap<string, number> = new Map(
  [...new Set([...evidenceTypes, ...referenceTypes])].map((type) => {
    const evidence = evidenceTypes.has(type) ? needs.evidence : 0;
    const references = referenceTypes.has(type) ? needs.references : 0;
    return [type, evidence | references | (closings.has(type) ? needs.closing : 0)];
  }),
);
