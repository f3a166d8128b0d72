import { apiKeyRandomBytes, formatApiKey } from '../domain/key/api-key.ts';
import { issueKey as decideIssue, type KeyOrder } from '../domain/key/decide.ts';
import { streams } from '../domain/streams.ts';
import type { KeyId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from './decide-on-organisation.ts';

/** `key` exists here alone: it is told to the one who asked, and never stored or logged. */
export interface IssuedKey {
  readonly keyId: KeyId;
  readonly key: string;
}

/**
 * Issues an API key. Refuses with ORGANISATION_NOT_FOUND, INVALID_REQUEST, or SCOPE_NOT_PERMITTED
 * where the one who asks lacks a scope.
 */
export async function issueKey(
  deps: {
    readonly store: EventStore;
    readonly newId: () => string;
    readonly randomBytes: (count: number) => Buffer;
    readonly now: () => Date;
  },
  order: Omit<KeyOrder, 'keyId'>,
  meta: EventMeta,
): Promise<IssuedKey> {
  const { organisationId } = order;
  const keyId = deps.newId() as KeyId;
  const key = formatApiKey(deps.randomBytes(apiKeyRandomBytes));
  const events = decideIssue({ ...order, keyId }, key, deps.now());
  await loadOrganisation(deps.store, organisationId);
  const stream = streams.key(keyId);
  await deps.store.append([{ organisationId, stream, expectedVersion: 0, events }], meta);
  return { keyId, key };
}
