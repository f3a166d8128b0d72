import { Refusal } from '../refusal.ts';

/** Refuses with INVALID_REQUEST a URL with a mistake; `mistake` null means there is none. */
export function requireDeliverable(mistake: string | null): void {
  if (mistake !== null) throw new Refusal('INVALID_REQUEST', `url: ${mistake}`);
}
