import type { DefinitionsOf, EventOf } from '../event.ts';
import type { HashScheme } from '../proof/hash-scheme.ts';
import type { OrganisationId } from '../ulid.ts';
import type { OrganisationLimits } from './organisation-limits.ts';
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

type PlanChanged = EventOf<'PlanChanged', { readonly plan: Plan }>;
type OrganisationSuspended = EventOf<'OrganisationSuspended', Record<never, never>>;
type OrganisationResumed = EventOf<'OrganisationResumed', Record<never, never>>;
type ApiAccessChanged = EventOf<'ApiAccessChanged', { readonly enabled: boolean }>;
type UploadAllowanceChanged = EventOf<
  'UploadAllowanceChanged',
  { readonly uploadAllowance: number | null }
>;

/** Limits of each key without limits of its own. */
type RequestLimitsChanged = EventOf<
  'RequestLimitsChanged',
  { readonly requestsPerMinute: number; readonly requestsPerDay: number }
>;

/** Limits of the organisation as a whole; null is the default. */
type OrganisationLimitsChanged = EventOf<'OrganisationLimitsChanged', OrganisationLimits>;

/**
 * The organisation is to be erased. Nothing new of it is accepted from here on, and this is
 * irreversible.
 */
type OrganisationClosed = EventOf<'OrganisationClosed', Record<never, never>>;

/**
 * The last event of the organisation, appended in the transaction that destroys its keys. No
 * confidential field of its events can be read any more.
 */
export type OrganisationErased = EventOf<
  'OrganisationErased',
  { readonly organisationId: OrganisationId }
>;

export type OrganisationEvent =
  | OrganisationOpened
  | PlanChanged
  | OrganisationSuspended
  | OrganisationResumed
  | ApiAccessChanged
  | UploadAllowanceChanged
  | RequestLimitsChanged
  | OrganisationLimitsChanged
  | OrganisationClosed
  | OrganisationErased;

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
  OrganisationLimitsChanged: {
    schema: 1,
    clear: ['totalRequestsPerMinute', 'totalRequestsPerDay', 'maxKeys'],
  },
  OrganisationClosed: { schema: 1, clear: [] },
  OrganisationErased: { schema: 1, clear: ['organisationId'] },
};
