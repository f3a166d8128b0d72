import type { DefinitionsOf, EventOf } from '../event.ts';
import type { DocumentId } from '../ulid.ts';

/** A document was charged to the month of this stream. `used` is the new total of the month. */
type UnitTaken = EventOf<'UnitTaken', { readonly documentId: DocumentId; readonly used: number }>;

/** The document's proof was given up and its unit returned: `used` is one less. */
type UnitReturned = EventOf<
  'UnitReturned',
  { readonly documentId: DocumentId; readonly used: number }
>;

export type AllowanceEvent = UnitTaken | UnitReturned;

export const allowanceEvents: DefinitionsOf<AllowanceEvent> = {
  UnitTaken: { schema: 1, clear: ['documentId', 'used'] },
  UnitReturned: { schema: 1, clear: ['documentId', 'used'] },
};
