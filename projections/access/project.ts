import { sql, type Transaction } from 'kysely';
import type { KeyEvent } from '../../src/domain/key/events.ts';
import type {
  OrganisationErased,
  OrganisationEvent,
} from '../../src/domain/organisation/events.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import { type AccessTables, accessTables, createAccessTables } from './table.ts';

type AccessEvent = StoredEvent<Exclude<OrganisationEvent, OrganisationErased> | KeyEvent>;

/** Access of callers: organisations and API keys, with their standing. */
export const access: ErasableProjection = erasable({
  name: 'access',
  version: 5,
  types: [
    'OrganisationOpened',
    'PlanChanged',
    'OrganisationSuspended',
    'OrganisationResumed',
    'ApiAccessChanged',
    'UploadAllowanceChanged',
    'RequestLimitsChanged',
    'OrganisationLimitsChanged',
    'OrganisationClosed',
    'KeyIssued',
    'KeyRevoked',
  ] satisfies AccessEvent['type'][],
  tables: accessTables,
  create: createAccessTables,
  async project(trx, events, named) {
    const tables = trx.$extendTables<AccessTables>();
    for (const event of events) await fold(tables, event as AccessEvent, named);
  },
  async erase(trx, organisationIds, named) {
    const tables = trx.$extendTables<AccessTables>();
    for (const table of accessTables) {
      await tables
        .deleteFrom(named(table))
        .where('organisation_id', 'in', organisationIds)
        .execute();
    }
  },
});

/** Organisations and keys change rarely: one statement per event is enough. */
async function fold(
  trx: Transaction<AccessTables>,
  event: AccessEvent,
  named: Named,
): Promise<void> {
  // Skip events of an erased organisation: nobody reads its rows or calls in its name.
  if (event.erased) return;
  switch (event.type) {
    case 'OrganisationOpened':
    case 'KeyIssued':
      return insert(trx, event, named);
    case 'KeyRevoked':
      return revoke(trx, event, named);
    default:
      await trx
        .updateTable(named('organisations'))
        .set(changeOf(event))
        .where('organisation_id', '=', event.organisationId as OrganisationId)
        .execute();
  }
}

async function insert(
  trx: Transaction<AccessTables>,
  event: Extract<AccessEvent, { type: 'OrganisationOpened' | 'KeyIssued' }>,
  named: Named,
): Promise<void> {
  const { position, recordedAt } = event;
  if (event.type === 'OrganisationOpened') {
    const { organisationId, name, plan, hashScheme, uploadAllowance, ...limits } = event.data;
    await trx
      .insertInto(named('organisations'))
      .values({
        organisation_id: organisationId,
        position,
        opened_at: recordedAt,
        name,
        plan,
        api_access: true,
        suspended: false,
        hash_scheme: hashScheme,
        upload_allowance: uploadAllowance,
        requests_per_minute: limits.requestsPerMinute,
        requests_per_day: limits.requestsPerDay,
        total_requests_per_minute: null,
        total_requests_per_day: null,
        max_keys: null,
      })
      .execute();
    return;
  }
  const { keyId, organisationId, keyHash, name, scopes, agent, expiresAt, ...rest } = event.data;
  await trx
    .insertInto(named('api_keys'))
    .values({
      key_id: keyId,
      organisation_id: organisationId,
      position,
      number: sql<number>`(
        SELECT coalesce(max(number), 0) + 1 FROM ${sql.table(named('api_keys'))}
        WHERE organisation_id = ${organisationId})`,
      issued_at: recordedAt,
      key_hash: keyHash,
      display_prefix: rest.displayPrefix,
      name,
      scopes: [...scopes],
      agent,
      revoked: false,
      expires_at: expiresAt,
      requests_per_minute: rest.requestsPerMinute,
      requests_per_day: rest.requestsPerDay,
      ...(await readOrigin(trx, event.meta, named)),
    })
    .execute();
}

/**
 * Returns the issuer of a key, and the limits of the new key that the organisation caps. Keys of an
 * operator are never capped, keys that a person issued always are.
 */
async function readOrigin(
  trx: Transaction<AccessTables>,
  { keyId: issuedBy = null, personId = null }: { keyId?: string | null; personId?: string | null },
  named: Named,
) {
  if (issuedBy === null) {
    const isCapped = personId !== null;
    const capped = { capped_per_minute: isCapped, capped_per_day: isCapped };
    return { issued_by: null, issued_by_person: personId, ...capped };
  }
  const issuer = await trx
    .selectFrom(named('api_keys'))
    .where('key_id', '=', issuedBy)
    .select(['requests_per_minute', 'requests_per_day', 'capped_per_minute', 'capped_per_day'])
    .executeTakeFirstOrThrow();
  return {
    issued_by: issuedBy,
    issued_by_person: null,
    capped_per_minute: issuer.requests_per_minute === null || issuer.capped_per_minute,
    capped_per_day: issuer.requests_per_day === null || issuer.capped_per_day,
  };
}

async function revoke(
  trx: Transaction<AccessTables>,
  { data }: Extract<AccessEvent, { type: 'KeyRevoked' }>,
  named: Named,
): Promise<void> {
  await trx
    .updateTable(named('api_keys'))
    .set({ revoked: true })
    .where('key_id', '=', data.keyId)
    .execute();
}

function changeOf(
  event: Exclude<AccessEvent, { type: 'OrganisationOpened' | 'KeyIssued' | 'KeyRevoked' }>,
): Partial<AccessTables['organisations']> {
  switch (event.type) {
    case 'PlanChanged':
      return { plan: event.data.plan };
    case 'OrganisationSuspended':
    case 'OrganisationClosed':
      return { suspended: true };
    case 'OrganisationResumed':
      return { suspended: false };
    case 'ApiAccessChanged':
      return { api_access: event.data.enabled };
    case 'UploadAllowanceChanged':
      return { upload_allowance: event.data.uploadAllowance };
    case 'RequestLimitsChanged':
      return {
        requests_per_minute: event.data.requestsPerMinute,
        requests_per_day: event.data.requestsPerDay,
      };
    case 'OrganisationLimitsChanged':
      return {
        total_requests_per_minute: event.data.totalRequestsPerMinute,
        total_requests_per_day: event.data.totalRequestsPerDay,
        max_keys: event.data.maxKeys,
      };
  }
}
