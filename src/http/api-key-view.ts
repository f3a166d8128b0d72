import type { z } from 'zod';
import { type KeyRecord, listKeys } from '../../projections/access/query.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import { awaitPosition } from '../subscriptions/await-position.ts';
import type { apiKeyData } from './api-key-schema.ts';
import { readKeyUses } from './key-uses.ts';
import type { RouteDeps } from './route-deps.ts';

/** A key as its organisation sees it: neither the key nor its hash. */
export type ApiKeyView = z.output<typeof apiKeyData>;

/** The organisation's keys in the order in which they were issued, its latest change included. */
export async function readApiKeys(
  deps: Pick<RouteDeps, 'db' | 'store' | 'signal' | 'now' | 'keyUses'>,
  organisationId: OrganisationId,
): Promise<readonly ApiKeyView[]> {
  const { db, store, signal, now, keyUses } = deps;
  await keyUses.flush();
  await awaitPosition(db, 'access', await store.lastPositionOf(organisationId), { signal });
  const keys = await listKeys(db, organisationId);
  const uses = await readKeyUses(
    db,
    keys.map(({ keyId }) => keyId),
  );
  return keys.map((key) => viewApiKey(key, uses.get(key.keyId) ?? null, now()));
}

function viewApiKey(key: KeyRecord, lastUsedAt: string | null, now: Date): ApiKeyView {
  const { keyId, displayPrefix, revoked, expiresAt, scopes, ...rest } = key;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
  const status = revoked ? 'revoked' : isExpired ? 'expired' : 'valid';
  const times = { expiresAt, lastUsedAt };
  return { id: keyId, prefix: displayPrefix, scopes: [...scopes], status, ...times, ...rest };
}
