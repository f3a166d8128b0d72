import { Refusal } from '../refusal.ts';

/** Plans by their names in the API; `free` has no API access. */
export const plans = ['free', 'professional', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export function parsePlan(text: string): Plan {
  const plan = plans.find((candidate) => candidate === text);
  if (plan !== undefined) return plan;
  throw new Refusal('INVALID_REQUEST', `plan: must be one of ${plans.join(', ')}`);
}

/** True if the plan includes API access, and it is not switched off. */
export function hasApiAccess({
  plan,
  apiAccess,
}: {
  readonly plan: Plan;
  readonly apiAccess: boolean;
}): boolean {
  return plan !== 'free' && apiAccess;
}

/** Refuses with API_ACCESS_DISABLED. */
export function requireApiAccess(organisation: Parameters<typeof hasApiAccess>[0]): void {
  if (hasApiAccess(organisation)) return;
  throw new Refusal(
    'API_ACCESS_DISABLED',
    'the plan of the organisation does not include API access, or API access is switched off',
  );
}

/** Default request limits of an organisation or key. */
export const defaultRequestLimits = { perMinute: 60, perDay: 10_000 } as const;

export interface RequestLimits {
  readonly perMinute: number;
  readonly perDay: number;
}
