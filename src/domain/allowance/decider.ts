import type { Decisions, NewestDecider } from '../decider.ts';
import type { DocumentId } from '../ulid.ts';
import { AllowanceExceeded } from './allowance-exceeded.ts';
import type { AllowanceEvent } from './events.ts';

/** Number of units used in a month, and the decisions on it. */
export const allowanceDecider = {
  stateAfter: (newest) => newest?.data.used ?? 0,
  takeUnit,
  returnUnit,
} satisfies NewestDecider<number, AllowanceEvent> & Decisions;

/**
 * Charges a document to a month that has used `used` units. `limit` null is unlimited; units are
 * still counted. Throws `AllowanceExceeded`.
 */
function takeUnit(
  used: number,
  limit: number | null,
  documentId: DocumentId,
): readonly AllowanceEvent[] {
  checkUnitLeft(used, limit);
  return [{ type: 'UnitTaken', data: { documentId, used: used + 1 } }];
}

/** Throws `AllowanceExceeded` if a month that has used `used` units has no unit left. */
export function checkUnitLeft(used: number, limit: number | null): void {
  if (limit === null || used < limit) return;
  throw new AllowanceExceeded(
    `the upload allowance of this month is used up: ${used} of ${limit} documents`,
    { used, limit, unit: 'documents' },
  );
}

/** Returns a unit to the month that it was charged to. */
function returnUnit(used: number, documentId: DocumentId): readonly AllowanceEvent[] {
  return [{ type: 'UnitReturned', data: { documentId, used: used - 1 } }];
}

/** The calendar month (UTC) of a moment, YYYY-MM. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 'YYYY-MM'.length);
}
