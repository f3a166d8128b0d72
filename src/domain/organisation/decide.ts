import { checkRequestLimit, checkUploadAllowance } from '../limit.ts';
import { checkName } from '../name.ts';
import type { OrganisationEvent, OrganisationOpened } from './events.ts';
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
    requestsPerMinute: checkRequestLimit('requestsPerMinute', order.requestsPerMinute),
    requestsPerDay: checkRequestLimit('requestsPerDay', order.requestsPerDay),
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

/** A limit that is not given stays as it is. */
export function changeRequestLimits(
  organisation: Organisation,
  limits: Partial<RequestLimits>,
): OrganisationDecision {
  const { perMinute = organisation.requestsPerMinute, perDay = organisation.requestsPerDay } =
    limits;
  checkRequestLimit('requestsPerMinute', perMinute);
  checkRequestLimit('requestsPerDay', perDay);
  const same =
    perMinute === organisation.requestsPerMinute && perDay === organisation.requestsPerDay;
  if (same) return [];
  return [
    {
      type: 'RequestLimitsChanged',
      data: { requestsPerMinute: perMinute, requestsPerDay: perDay },
    },
  ];
}
