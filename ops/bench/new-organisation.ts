import { ulid } from 'ulid';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { ListedOrganisation } from './listed-proofs.ts';

/** An organisation with five workspaces. */
export function newOrganisation(): ListedOrganisation {
  const workspaceIds = Array.from({ length: 5 }, () => ulid() as WorkspaceId);
  return { organisationId: ulid() as OrganisationId, workspaceIds };
}
