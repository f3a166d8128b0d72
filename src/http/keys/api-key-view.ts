import type { z } from 'zod';
import { findKey, type KeyRecord, listKeys } from '../../../projections/access/list-keys.ts';
import type { KeyId, OrganisationId, PersonId } from '../../domain/ulid.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';
import type { apiKeyData } from './api-key-schema.ts';
import { type KeyUses, readKeyUses } from './key-uses.ts';

/** A key as its organisation sees it, without the key itself and its hash. */
export type ApiKeyView = z.output<typeof apiKeyData>;

/** Dependencies of showing keys. */
export interface KeyViewDeps extends ReadDeps {
  readonly keyUses: Pick<KeyUses, 'flush'>;
  readonly now: () => Date;
}

/** One page of the organisation's keys in the order of issue, with their total. */
export async function readApiKeys(
  deps: KeyViewDeps,
  organisationId: OrganisationId,
  page: { readonly page: number; readonly limit: number },
): Promise<{ readonly data: readonly ApiKeyView[]; readonly total: number }> {
  const { keys, total } = await readShownKeys(deps, organisationId, page);
  return { data: keys.map(({ view }) => view), total };
}

/** A key with what only the people of its organisation see. */
export interface ShownKey {
  readonly view: ApiKeyView;
  /** The person who issued it in the console. */
  readonly issuedByPerson: PersonId | null;
}

/** As `readApiKeys`, for the console. */
export async function readShownKeys(
  deps: KeyViewDeps,
  organisationId: OrganisationId,
  page: { readonly page: number; readonly limit: number },
): Promise<{ readonly keys: readonly ShownKey[]; readonly total: number }> {
  await awaitKeys(deps, organisationId);
  const { items, total } = await listKeys(deps.db, organisationId, page);
  return { keys: await viewApiKeys(deps, items), total };
}

/** The organisation's key with this id; null if there is none. */
export async function findShownKey(
  deps: KeyViewDeps,
  organisationId: OrganisationId,
  keyId: KeyId,
): Promise<ShownKey | null> {
  await awaitKeys(deps, organisationId);
  const key = await findKey(deps.db, organisationId, keyId);
  const [shown = null] = key === null ? [] : await viewApiKeys(deps, [key]);
  return shown;
}

/** View of a key that exists. */
export async function readApiKey(
  deps: KeyViewDeps,
  organisationId: OrganisationId,
  keyId: KeyId,
): Promise<ApiKeyView> {
  const shown = await findShownKey(deps, organisationId, keyId);
  if (shown === null) throw new Error(`the key ${keyId} cannot be shown`);
  return shown.view;
}

/** Waits until the read model of keys includes the organisation's latest change. */
export async function awaitKeys(
  { db, store, signal }: ReadDeps,
  organisationId: OrganisationId,
): Promise<void> {
  await awaitPosition(db, 'access', await store.lastPositionOf(organisationId), { signal });
}

async function viewApiKeys(
  { db, keyUses, now }: KeyViewDeps,
  keys: readonly KeyRecord[],
): Promise<readonly ShownKey[]> {
  await keyUses.flush();
  const uses = await readKeyUses(
    db,
    keys.map(({ keyId }) => keyId),
  );
  return keys.map((key) => {
    const view = viewApiKey(key, uses.get(key.keyId) ?? null, now());
    return { view, issuedByPerson: key.issuedByPerson };
  });
}

function viewApiKey(key: KeyRecord, lastUsedAt: string | null, now: Date): ApiKeyView {
  const { keyId, displayPrefix, revoked, expiresAt, scopes, issuedByPerson: _, ...rest } = key;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
  const status = revoked ? 'revoked' : isExpired ? 'expired' : 'valid';
  const times = { expiresAt, lastUsedAt };
  return { id: keyId, prefix: displayPrefix, scopes: [...scopes], status, ...times, ...rest };
}
