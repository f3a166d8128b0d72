import { canonicalDateTime } from '../../domain/date-time.ts';
import { Refusal } from '../../domain/refusal.ts';

/** Label of the field in forms for something that ends. */
const label = 'Last day';

/**
 * The end of the last day (UTC) that a form names, such as `2026-11-30`; null if it names none.
 * Refuses other texts with INVALID_REQUEST.
 */
export function endOfDay(given: string | null): string | null {
  const day = given?.trim() ?? '';
  if (day === '') return null;
  const time = canonicalDateTime(`${day}T23:59:59Z`);
  if (time !== null) return time;
  throw new Refusal('INVALID_REQUEST', `${label}: must be a day, such as 2030-01-31`);
}

/** A refusal of the API with the label of the form's field instead of the API's name. */
export function aboutLastDay(message: string): string {
  return message.replace(/^expiresAt:/, `${label}:`);
}
