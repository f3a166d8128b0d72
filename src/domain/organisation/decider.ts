import type { Decisions, OwnedDecider } from '../decider.ts';
import { checkPositive, checkUploadAllowance } from '../limit.ts';
import { checkName } from '../name.ts';
import { ownerOf } from '../owner-of.ts';
import type { OrganisationEvent, OrganisationOpened } from './events.ts';
import type { OrganisationLimits } from './organisation-limits.ts';
import { OrganisationShut } from './organisation-shut.ts';
import type { Plan, RequestLimits } from './plan.ts';
import {
  evolveOrganisation,
  type Organisation,
  type OrganisationState,
  unknownOrganisation,
} from './state.ts';

/** State of an organisation's stream, and the decisions on it. */
export const organisationDecider = {
  initial: unknownOrganisation,
  evolve: evolveOrganisation,
  ownerOf,
  open,
  changePlan,
  suspend,
  resume,
  close,
  erase,
  switchApiAccess,
  changeUploadAllowance,
  changeRequestLimits,
  changeOrganisationLimits,
} satisfies OwnedDecider<OrganisationState, OrganisationEvent> & Decisions;

/** Events that an order appends to the organisation's stream; none if nothing changes. */
export type OrganisationDecision = readonly OrganisationEvent[];

function open(order: OrganisationOpened['data']): OrganisationDecision {
  const data: OrganisationOpened['data'] = {
    ...order,
    name: checkName('name', order.name),
    uploadAllowance: checkUploadAllowance(order.uploadAllowance),
    requestsPerMinute: checkPositive('requestsPerMinute', order.requestsPerMinute),
    requestsPerDay: checkPositive('requestsPerDay', order.requestsPerDay),
  };
  return [{ type: 'OrganisationOpened', data }];
}

function changePlan(organisation: Organisation, plan: Plan): OrganisationDecision {
  return organisation.plan === plan ? [] : [{ type: 'PlanChanged', data: { plan } }];
}

function suspend(organisation: Organisation): OrganisationDecision {
  return organisation.suspended ? [] : [{ type: 'OrganisationSuspended', data: {} }];
}

/** Resumes an organisation. Throws `OrganisationShut` if it is to be erased. */
function resume(organisation: Organisation): OrganisationDecision {
  if (organisation.closed) throw new OrganisationShut(organisation.organisationId);
  return organisation.suspended ? [{ type: 'OrganisationResumed', data: {} }] : [];
}

/** Closes the organisation: nothing new begins in it, so that it can be erased. */
function close(organisation: Organisation): OrganisationDecision {
  return organisation.closed ? [] : [{ type: 'OrganisationClosed', data: {} }];
}

function erase({ organisationId }: Organisation): OrganisationDecision {
  return [{ type: 'OrganisationErased', data: { organisationId } }];
}

function switchApiAccess(organisation: Organisation, enabled: boolean): OrganisationDecision {
  if (organisation.apiAccess === enabled) return [];
  return [{ type: 'ApiAccessChanged', data: { enabled } }];
}

function changeUploadAllowance(
  organisation: Organisation,
  uploadAllowance: number | null,
): OrganisationDecision {
  checkUploadAllowance(uploadAllowance);
  if (organisation.uploadAllowance === uploadAllowance) return [];
  return [{ type: 'UploadAllowanceChanged', data: { uploadAllowance } }];
}

/** Values to set. Absent or undefined values stay unchanged. */
export type Changed<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

/** Sets the limits of each key without limits of its own. */
function changeRequestLimits(
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
function changeOrganisationLimits(
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
