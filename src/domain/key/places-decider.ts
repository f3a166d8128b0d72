import type { Decisions } from '../decider.ts';
import { defaultMaxKeys } from '../organisation/organisation-limits.ts';
import { Refusal } from '../refusal.ts';
import type { KeyId } from '../ulid.ts';
import type { KeyPlaceEvent } from './events.ts';

/**
 * Decisions on the places of an organisation's keys. The stream is a fence only: a read model counts
 * the keys, since keys expire without an event.
 */
export const keyPlacesDecider = { take } satisfies Decisions;

/**
 * Takes a place for a new key. `live` is the number of keys that are neither revoked nor expired,
 * `maxKeys` their maximum (null: the default). Refuses with API_KEY_LIMIT_REACHED.
 */
function take(live: number, maxKeys: number | null, keyId: KeyId): readonly KeyPlaceEvent[] {
  if (live >= (maxKeys ?? defaultMaxKeys)) {
    const has = live === 1 ? '1 API key that is' : `${live} API keys that are`;
    throw new Refusal(
      'API_KEY_LIMIT_REACHED',
      `the organisation has ${has} neither revoked nor expired, and may have no more; revoke one first`,
    );
  }
  return [{ type: 'KeyPlaceTaken', data: { keyId, taken: live + 1 } }];
}
