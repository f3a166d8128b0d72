import { findOrganisation, type KeyAccess } from '../../../../projections/access/query.ts';
import type { Scope } from '../../../domain/key/scope.ts';
import type { KeyId } from '../../../domain/ulid.ts';
import type { ReadModels } from '../../../subscriptions/projection.ts';
import type { Viewer } from '../console-route.ts';

const scopes: readonly Scope[] = ['documents:write', 'certificates:read'];

/**
 * An owner as the caller of a route of the API, who may prove and get certificates. The person's id
 * counts calls as the id of a key does, beside those of the organisation.
 */
export async function personCaller(
  { db, now }: { readonly db: ReadModels; readonly now: () => Date },
  { organisation, person }: Viewer,
): Promise<KeyAccess> {
  const { organisationId, plan, apiAccess, suspended, hashScheme } = organisation;
  const { requestsPerMinute, requestsPerDay } = organisation;
  const listed = await findOrganisation(db, organisationId, now());
  return {
    keyId: person.personId as string as KeyId,
    ...{ organisationId, scopes, agent: false, revoked: false, expiresAt: null },
    ...{ requestsPerMinute, requestsPerDay },
    organisation: {
      ...{ plan, apiAccess, suspended, hashScheme },
      totalRequestsPerMinute: listed?.totalRequestsPerMinute ?? requestsPerMinute,
      totalRequestsPerDay: listed?.totalRequestsPerDay ?? requestsPerDay,
    },
  };
}
