import { revokeKey as decideRevoke } from '../domain/key/decide.ts';
import { keyDecider } from '../domain/key/decider.ts';
import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { KeyId, OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { load } from './load.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Revokes a key for ever. `organisationId` is whose key it must be, null for an operator. Refuses
 * with API_KEY_NOT_FOUND, without telling an absent key from another organisation's.
 */
export async function revokeKey(
  store: EventStore,
  keyId: KeyId,
  organisationId: OrganisationId | null,
  meta: EventMeta,
): Promise<void> {
  const stream = streams.key(keyId);
  await retryOnConflict(async () => {
    const { state, version } = await load(store, stream, keyDecider);
    const theirs =
      organisationId !== null &&
      state.status !== 'unknown' &&
      state.organisationId !== organisationId;
    if (state.status === 'unknown' || theirs) {
      throw new Refusal('API_KEY_NOT_FOUND', `there is no API key ${keyId}`);
    }
    const events = decideRevoke(state);
    if (events.length === 0) return;
    const entry = {
      organisationId: state.organisationId,
      stream,
      expectedVersion: version,
      events,
    };
    await store.append([entry], meta);
  });
}
