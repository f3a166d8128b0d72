import { Refusal } from '../../../domain/refusal.ts';
import { isUlid, type PersonId } from '../../../domain/ulid.ts';

/** Refuses with NOT_FOUND a text that is no id. */
export function readPersonId(text = ''): PersonId {
  if (isUlid(text)) return text as PersonId;
  throw new Refusal('NOT_FOUND', 'the organisation has no such person');
}
