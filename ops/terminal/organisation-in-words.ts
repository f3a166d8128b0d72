import type { ShownOrganisation } from '../organisations/organisation-record.ts';
import { fields, table } from './printable.ts';

export function organisationFields(organisation: ShownOrganisation): string {
  return fields([
    ['id', organisation.organisationId],
    ['name', organisation.name],
    ['plan', organisation.plan],
    ['standing', standing(organisation)],
    ['API access', organisation.apiAccess ? 'on' : 'off'],
    ['hash scheme', organisation.hashScheme],
    ['uploads per month', String(organisation.uploadAllowance ?? 'unlimited')],
    ['stored files', String(organisation.storedFiles)],
    ['bytes of stored files', String(organisation.storedBytes)],
    ['storage allowance, in bytes', String(organisation.storageAllowance)],
    ['requests per minute, of a key', String(organisation.requestsPerMinute)],
    ['requests per day, of a key', String(organisation.requestsPerDay)],
    ['requests per minute, of all keys', String(organisation.totalRequestsPerMinute)],
    ['requests per day, of all keys', String(organisation.totalRequestsPerDay)],
    ['maximum number of keys', String(organisation.maxKeys)],
    ['opened at', organisation.openedAt],
  ]);
}

export function organisationTable(organisations: readonly ShownOrganisation[]): string {
  if (organisations.length === 0) return 'there is no organisation yet';
  const rows = organisations.map((organisation) => [
    organisation.organisationId,
    organisation.plan,
    standing(organisation),
    organisation.apiAccess ? 'on' : 'off',
    String(organisation.storedBytes),
    String(organisation.storageAllowance),
    organisation.name,
  ]);
  return table(
    ['ID', 'PLAN', 'STANDING', 'API ACCESS', 'STORED BYTES', 'STORAGE ALLOWANCE', 'NAME'],
    rows,
  );
}

function standing(organisation: ShownOrganisation): string {
  return organisation.suspended ? 'suspended' : 'active';
}
