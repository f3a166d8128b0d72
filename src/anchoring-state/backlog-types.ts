import type { DomainEvent } from '../domain/events.ts';
import { logEvents } from '../domain/log/events.ts';
import { proofEvents } from '../domain/proof/events.ts';

/** Types of event that the anchoring of a network folds. */
export const backlogTypes: readonly DomainEvent['type'][] = [
  ...typesOf(proofEvents),
  'GapFillPrepared',
  'GapFillSettled',
  'AccountRetired',
  'LedgerJoined',
  'LedgerRecognised',
  'LedgerGone',
  'OrganisationErased',
  ...typesOf(logEvents),
];

function typesOf<Definitions extends object>(definitions: Definitions): (keyof Definitions)[] {
  return Object.keys(definitions) as (keyof Definitions)[];
}
