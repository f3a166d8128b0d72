import { Refusal } from '../refusal.ts';

/** Plans by their names in the API; `free` has no API access. */
export const plans = ['free', 'professional', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export function parsePlan(text: string): Plan {
  const plan = plans.find((candidate) => candidate === text);
  if (plan !== undefined) return plan;
  throw new Refusal('INVALID_REQUEST', `plan: must be one of ${plans.join(', ')}`);
}

/** Default request limits of an organisation or key. */
export const defaultRequestLimits = { perMinute: 60, perDay: 10_000 } as const;

export interface RequestLimits {
  readonly perMinute: number;
  readonly perDay: number;
}
