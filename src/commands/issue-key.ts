import { apiKeyRandomBytes, formatApiKey } from '../domain/key/api-key.ts';
import { type KeyOrder, keyDecider } from '../domain/key/decider.ts';
import { ownerAsIssuer } from '../domain/key/inherit.ts';
import { keyPlacesDecider } from '../domain/key/places-decider.ts';
import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { KeyId, OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import { load } from '../event-store/handling/load.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadOrganisation } from '../loading/load-organisation.ts';

/** A new API key. `key` is shown to the caller once, and never stored or logged. */
interface IssuedKey {
  readonly keyId: KeyId;
  readonly key: string;
}

/**
 * `issuedBy` is the key that makes the request, or an owner in the console, who may give all scopes
 * and at most the limits of the organisation. Null for an operator, whose keys inherit nothing.
 */
interface IssueOrder extends Omit<KeyOrder, 'keyId'> {
  readonly issuedBy: KeyId | 'owner' | null;
}

/**
 * Counts the keys of an organisation that are neither revoked nor expired. The count includes every
 * key issued up to `position` of the log.
 */
export type CountKeys = (organisationId: OrganisationId, position: number) => Promise<number>;

export interface IssueDeps {
  readonly store: EventStore;
  readonly turns: Turns;
  readonly countKeys: CountKeys;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

/**
 * Issues an API key. Refuses with ORGANISATION_NOT_FOUND and INVALID_REQUEST. Refuses with
 * API_KEY_LIMIT_REACHED at the organisation's maximum number of keys, and with SCOPE_NOT_PERMITTED
 * if the issuing key lacks a scope.
 */
export async function issueKey(
  deps: IssueDeps,
  { issuedBy, ...order }: IssueOrder,
  meta: EventMeta,
): Promise<IssuedKey> {
  const { store, turns, countKeys, now } = deps;
  const { organisationId } = order;
  const keyId = deps.newId() as KeyId;
  const key = formatApiKey(deps.randomBytes(apiKeyRandomBytes));
  const places = streams.keyPlaces(organisationId);
  const decide = async () => {
    // Without this check, an id that was used would cause conflicts for ever.
    if ((await store.readLast(streams.key(keyId))) !== null) {
      throw new Refusal('INVALID_REQUEST', 'this key was issued already');
    }
    const organisation = await loadOrganisation(store, organisationId);
    const issuer = await loadIssuer(store, issuedBy, now());
    const issued = keyDecider.issue({ ...order, keyId }, key, now(), { organisation, issuer });
    // Read the fence before the count, so that a key issued after the count causes a conflict.
    const fence = await store.readLast(places);
    const live = await countKeys(organisationId, fence?.position ?? 0);
    const taken = keyPlacesDecider.take(live, organisation.maxKeys, keyId);
    const expectedVersion = fence?.version ?? 0;
    return {
      entries: [
        { organisationId, stream: streams.key(keyId), expectedVersion: 0, events: issued },
        { organisationId, stream: places, expectedVersion, events: taken },
      ],
    };
  };
  await turns.take(places, () => handleStreams(store, decide, meta));
  return { keyId, key };
}

function loadIssuer(store: EventStore, issuedBy: IssueOrder['issuedBy'], now: Date) {
  if (issuedBy === null) return null;
  return issuedBy === 'owner' ? ownerAsIssuer : loadIssuingKey(store, issuedBy, now);
}

/**
 * Loads the issuing key. Refuses with INVALID_API_KEY if it was revoked or has expired meanwhile.
 */
async function loadIssuingKey(store: EventStore, keyId: KeyId, now: Date) {
  const { state } = await load(store, streams.key(keyId), keyDecider);
  const isValid =
    state.status === 'issued' &&
    (state.expiresAt === null || Date.parse(state.expiresAt) > now.getTime());
  if (!isValid) throw new Refusal('INVALID_API_KEY', 'the API key was revoked or has expired');
  return state;
}
