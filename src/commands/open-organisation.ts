import { organisationDecider } from '../domain/organisation/decider.ts';
import { defaultRequestLimits, type Plan } from '../domain/organisation/plan.ts';
import { defaultHashScheme, type HashScheme } from '../domain/proof/hash-scheme.ts';
import { storageDecider } from '../domain/storage/decider.ts';
import type { StorageAllowance } from '../domain/storage/storage-allowance.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Order of an organisation. Defaults: no upload limit, the storage allowance of the configuration,
 * 60 requests a minute, 10,000 a day, the default scheme.
 */
interface OrganisationOrder {
  readonly name: string;
  readonly plan: Plan;
  readonly hashScheme?: HashScheme | undefined;
  readonly uploadAllowance?: number | null | undefined;
  readonly storageAllowance?: StorageAllowance | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly requestsPerDay?: number | undefined;
}

/**
 * Opens an organisation and creates its keys, which encrypt all its confidential fields. The streams
 * are new, so there is no state to decide on, and no retry.
 */
export async function openOrganisation(
  deps: { readonly store: EventStore; readonly newId: () => string },
  order: OrganisationOrder,
  meta: EventMeta,
): Promise<OrganisationId> {
  const organisationId = deps.newId() as OrganisationId;
  const events = organisationDecider.open({
    organisationId,
    name: order.name,
    plan: order.plan,
    hashScheme: order.hashScheme ?? defaultHashScheme,
    uploadAllowance: order.uploadAllowance ?? null,
    requestsPerMinute: order.requestsPerMinute ?? defaultRequestLimits.perMinute,
    requestsPerDay: order.requestsPerDay ?? defaultRequestLimits.perDay,
  });
  const storage = storageDecider.change('default', order.storageAllowance ?? 'default');
  await deps.store.createKeys(organisationId);
  const begin = { organisationId, expectedVersion: 0 };
  const entries: StreamAppend[] = [
    { ...begin, stream: streams.organisation(organisationId), events },
  ];
  if (storage.length > 0) {
    entries.push({ ...begin, stream: streams.storage(organisationId), events: storage });
  }
  await deps.store.append(entries, meta);
  return organisationId;
}
