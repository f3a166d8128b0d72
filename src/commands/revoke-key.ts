import { keyDecider } from '../domain/key/decider.ts';
import type { KeyState } from '../domain/key/state.ts';
import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { KeyId, OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Revokes a key permanently. `organisationId` is the required owner; null for an operator. Refuses
 * with API_KEY_NOT_FOUND, without distinguishing an absent key from another organisation's.
 */
export async function revokeKey(
  store: EventStore,
  keyId: KeyId,
  organisationId: OrganisationId | null,
  meta: EventMeta,
): Promise<void> {
  const command = (state: KeyState) => {
    const theirs =
      organisationId !== null &&
      state.status !== 'unknown' &&
      state.organisationId !== organisationId;
    if (state.status === 'unknown' || theirs) {
      throw new Refusal('API_KEY_NOT_FOUND', `there is no API key ${keyId}`);
    }
    return keyDecider.revoke(state);
  };
  await handle(store, streams.key(keyId), keyDecider, command, meta);
}
