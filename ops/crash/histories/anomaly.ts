import type { RecordedCall } from './recorded-call.ts';

/** Kinds of answers that the log does not allow, with their meaning. */
export const anomalies = {
  ownWriteMissing: 'an answer lacks a write that the same client had confirmed',
  wentBack: 'an answer is older than one that the same client had got',
  stale: 'an answer is older than one that another client had got',
  stateWentBack: 'a proof is in an earlier state than answers had shown',
  ahead: 'an answer shows a change before its record',
  phantom: 'a proof that the log does not have',
  lostTimeline: 'a proof that was confirmed to a client, and that the log does not have',
  foreignItem: "a proof of another organisation's",
  duplicate: 'a proof twice in one listing',
  lostItem: 'a list lacks a proof that existed all the time',
  searchMissed: 'a search lacks a proof that it must find',
  falseHit: 'a list has a proof that does not match the query',
  wrongField: 'a member of a proof has a value that the log never gave it',
  wrongTotal: 'the number of items is wrong, the items are right',
  wrongOrder: 'the right items in another order',
  noMoment: 'each part was right at some moment, but the whole at none',
  evidenceWentBack: 'evidence is pending after it was attested, or attested before its record',
  unexpectedAnswer: 'an answer that the contract does not name',
} as const;

/** An answer that the event log does not allow. */
export interface Anomaly {
  readonly kind: keyof typeof anomalies;
  readonly call: RecordedCall;
  readonly detail: object;
}
