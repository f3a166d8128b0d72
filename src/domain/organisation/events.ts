import type { DefinitionsOf, EventOf } from '../event.ts';
import type { HashScheme } from '../proof/hash-scheme.ts';
import type { OrganisationId } from '../ulid.ts';
import type { Plan } from './plan.ts';

/** `uploadAllowance` is in documents per calendar month (UTC); null is unlimited. */
export type OrganisationOpened = EventOf<
  'OrganisationOpened',
  {
    readonly organisationId: OrganisationId;
    readonly name: string;
    readonly plan: Plan;
    readonly hashScheme: HashScheme;
    readonly uploadAllowance: number | null;
    readonly requestsPerMinute: number;
    readonly requestsPerDay: number;
  }
>;

export type PlanChanged = EventOf<'PlanChanged', { readonly plan: Plan }>;
export type OrganisationSuspended = EventOf<'OrganisationSuspended', Record<never, never>>;
export type OrganisationResumed = EventOf<'OrganisationResumed', Record<never, never>>;
export type ApiAccessChanged = EventOf<'ApiAccessChanged', { readonly enabled: boolean }>;
export type UploadAllowanceChanged = EventOf<
  'UploadAllowanceChanged',
  { readonly uploadAllowance: number | null }
>;
export type RequestLimitsChanged = EventOf<
  'RequestLimitsChanged',
  { readonly requestsPerMinute: number; readonly requestsPerDay: number }
>;

export type OrganisationEvent =
  | OrganisationOpened
  | PlanChanged
  | OrganisationSuspended
  | OrganisationResumed
  | ApiAccessChanged
  | UploadAllowanceChanged
  | RequestLimitsChanged;

export const organisationEvents: DefinitionsOf<OrganisationEvent> = {
  OrganisationOpened: {
    schema: 1,
    clear: [
      'organisationId',
      'plan',
      'hashScheme',
      'uploadAllowance',
      'requestsPerMinute',
      'requestsPerDay',
    ],
  },
  PlanChanged: { schema: 1, clear: ['plan'] },
  OrganisationSuspended: { schema: 1, clear: [] },
  OrganisationResumed: { schema: 1, clear: [] },
  ApiAccessChanged: { schema: 1, clear: ['enabled'] },
  UploadAllowanceChanged: { schema: 1, clear: ['uploadAllowance'] },
  RequestLimitsChanged: { schema: 1, clear: ['requestsPerMinute', 'requestsPerDay'] },
};
