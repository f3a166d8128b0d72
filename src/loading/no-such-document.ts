import { Refusal } from '../domain/refusal.ts';

/** Also for another organisation's document: the two cases are not distinguished. */
export function noSuchDocument(): Refusal {
  return new Refusal('PROOF_NOT_FOUND', 'there is no such document in this organisation');
}
