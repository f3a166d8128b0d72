import { Refusal } from './refusal.ts';

/** Checks a limit of requests or keys: a positive whole number. */
export function checkPositive(field: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new Refusal('INVALID_REQUEST', `${field}: must be a positive whole number`);
}

/** Checks a number of documents per month: a whole number, zero for none, or null for no limit. */
export function checkUploadAllowance(value: number | null): number | null {
  if (value === null || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw new Refusal('INVALID_REQUEST', 'uploadAllowance: must be a whole number, or unlimited');
}
