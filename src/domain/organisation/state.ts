import type { Recorded } from '../event.ts';
import type { HashScheme } from '../proof/hash-scheme.ts';
import type { OrganisationId } from '../ulid.ts';
import type { OrganisationEvent } from './events.ts';
import { defaultOrganisationLimits, type OrganisationLimits } from './organisation-limits.ts';
import type { Plan } from './plan.ts';

export interface Organisation extends OrganisationLimits {
  readonly organisationId: OrganisationId;
  readonly name: string;
  readonly plan: Plan;
  readonly apiAccess: boolean;
  readonly suspended: boolean;
  /** True if the organisation is to be erased: nothing new of it is accepted. */
  readonly closed: boolean;
  readonly hashScheme: HashScheme;
  readonly uploadAllowance: number | null;
  /** Limits of each key without limits of its own. */
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
}

export type OrganisationState =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'open' } & Organisation)
  | { readonly status: 'erased'; readonly organisationId: OrganisationId };

export const unknownOrganisation: OrganisationState = { status: 'unknown' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolveOrganisation(
  state: OrganisationState,
  event: Recorded<OrganisationEvent>,
): OrganisationState {
  if (event.type === 'OrganisationOpened') {
    const standing = { apiAccess: true, suspended: false, closed: false } as const;
    return { status: 'open', ...event.data, ...standing, ...defaultOrganisationLimits };
  }
  if (state.status === 'unknown') throw new Error(`${event.type} before OrganisationOpened`);
  if (state.status === 'erased') throw new Error(`${event.type} after OrganisationErased`);
  switch (event.type) {
    case 'PlanChanged':
      return { ...state, plan: event.data.plan };
    case 'OrganisationSuspended':
      return { ...state, suspended: true };
    case 'OrganisationResumed':
      return { ...state, suspended: false };
    case 'ApiAccessChanged':
      return { ...state, apiAccess: event.data.enabled };
    case 'UploadAllowanceChanged':
      return { ...state, uploadAllowance: event.data.uploadAllowance };
    case 'RequestLimitsChanged':
      return {
        ...state,
        requestsPerMinute: event.data.requestsPerMinute,
        requestsPerDay: event.data.requestsPerDay,
      };
    case 'OrganisationLimitsChanged':
      return { ...state, ...event.data };
    case 'OrganisationClosed':
      return { ...state, closed: true };
    case 'OrganisationErased':
      return { status: 'erased', organisationId: state.organisationId };
  }
}
