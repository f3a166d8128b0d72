import { checkPositive, checkUploadAllowance } from '../limit.ts';
import { checkName } from '../name.ts';
import type { OrganisationEvent, OrganisationOpened } from './events.ts';
import type { OrganisationLimits } from './organisation-limits.ts';
import { OrganisationShut } from './organisation-shut.ts';
import type { Plan, RequestLimits } from './plan.ts';
import type { Organisation } from './state.ts';

/** What an order appends to the organisation's stream: nothing where it already is as ordered. */
export type OrganisationDecision = readonly OrganisationEvent[];

export function openOrganisation(order: OrganisationOpened['data']): OrganisationDecision {
  const data: OrganisationOpened['data'] = {
    ...order,
    name: checkName('name', order.name),
    uploadAllowance: checkUploadAllowance(order.uploadAllowance),
    requestsPerMinute: checkPositive('requestsPerMinute', order.requestsPerMinute),
    requestsPerDay: checkPositive('requestsPerDay', order.requestsPerDay),
  };
  return [{ type: 'OrganisationOpened', data }];
}

export function changePlan(organisation: Organisation, plan: Plan): OrganisationDecision {
  return organisation.plan === plan ? [] : [{ type: 'PlanChanged', data: { plan } }];
}

export function suspendOrganisation(organisation: Organisation): OrganisationDecision {
  return organisation.suspended ? [] : [{ type: 'OrganisationSuspended', data: {} }];
}

/** Refuses for one that is to be erased. */
export function resumeOrganisation(organisation: Organisation): OrganisationDecision {
  if (organisation.closed) throw new OrganisationShut(organisation.organisationId);
  return organisation.suspended ? [{ type: 'OrganisationResumed', data: {} }] : [];
}

/** Lets nothing new begin, so that it can be erased. */
export function closeOrganisation(organisation: Organisation): OrganisationDecision {
  return organisation.closed ? [] : [{ type: 'OrganisationClosed', data: {} }];
}

export function eraseOrganisation({ organisationId }: Organisation): OrganisationDecision {
  return [{ type: 'OrganisationErased', data: { organisationId } }];
}

export function switchApiAccess(
  organisation: Organisation,
  enabled: boolean,
): OrganisationDecision {
  if (organisation.apiAccess === enabled) return [];
  return [{ type: 'ApiAccessChanged', data: { enabled } }];
}

export function changeUploadAllowance(
  organisation: Organisation,
  uploadAllowance: number | null,
): OrganisationDecision {
  checkUploadAllowance(uploadAllowance);
  if (organisation.uploadAllowance === uploadAllowance) return [];
  return [{ type: 'UploadAllowanceChanged', data: { uploadAllowance } }];
}

/** Values to set; one that is absent or undefined stays as it is. */
export type Changed<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

/** Sets the limits of each key without limits of its own. */
export function changeRequestLimits(
  { requestsPerMinute, requestsPerDay }: Organisation,
  { perMinute = requestsPerMinute, perDay = requestsPerDay }: Changed<RequestLimits>,
): OrganisationDecision {
  checkPositive('requestsPerMinute', perMinute);
  checkPositive('requestsPerDay', perDay);
  if (perMinute === requestsPerMinute && perDay === requestsPerDay) return [];
  const data = { requestsPerMinute: perMinute, requestsPerDay: perDay };
  return [{ type: 'RequestLimitsChanged', data }];
}

/** Sets limits of the organisation as a whole; null restores the default. */
export function changeOrganisationLimits(
  before: Organisation,
  {
    totalRequestsPerMinute = before.totalRequestsPerMinute,
    totalRequestsPerDay = before.totalRequestsPerDay,
    maxKeys = before.maxKeys,
  }: Changed<OrganisationLimits>,
): OrganisationDecision {
  const data: OrganisationLimits = { totalRequestsPerMinute, totalRequestsPerDay, maxKeys };
  const fields = Object.keys(data) as (keyof OrganisationLimits)[];
  for (const field of fields) {
    const value = data[field];
    if (value !== null) checkPositive(field, value);
  }
  if (fields.every((field) => before[field] === data[field])) return [];
  return [{ type: 'OrganisationLimitsChanged', data }];
}
