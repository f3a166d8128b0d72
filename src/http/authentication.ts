import type { KeyAccess } from '../../projections/access/query.ts';
import { hashApiKey, isWellFormedApiKey } from '../domain/key/api-key.ts';
import type { Scope } from '../domain/key/scope.ts';
import { Refusal } from '../domain/refusal.ts';
import { awaitPosition } from '../subscriptions/await-position.ts';
import type { RouteDeps } from './route-deps.ts';

/** RFC 6750: the scheme in any case, one or more spaces, then the token and nothing else. */
const bearer = /^Bearer +([^\s]+) *$/i;

/**
 * Finds out whose key the `Authorization` header holds. Refuses with INVALID_API_KEY, one message
 * for every reason. A key is looked up by its SHA-256, so no secret is compared with another here.
 * `onFailure` is called before that is said, and before a key that is not there is looked for more
 * thoroughly; it may refuse by itself.
 */
export async function authenticate(
  services: Pick<RouteDeps, 'keyAccesses' | 'db' | 'store' | 'signal' | 'now'>,
  authorization: string | undefined,
  onFailure: () => Promise<void>,
): Promise<KeyAccess> {
  const key = bearer.exec(authorization ?? '')?.[1];
  if (key === undefined || !isWellFormedApiKey(key)) {
    await onFailure();
    throw invalidKey();
  }
  const keyHash = hashApiKey(key);
  const find = async () => (await services.keyAccesses([keyHash])).get(keyHash) ?? null;
  const known = await find();
  const isValid = (access: KeyAccess | null): access is KeyAccess =>
    access !== null && !access.revoked && !isExpired(access, services.now());
  if (isValid(known)) return known;
  await onFailure();
  if (known !== null) throw invalidKey();
  await awaitAccess(services);
  const issued = await find();
  if (isValid(issued)) return issued;
  throw invalidKey();
}

/** Refuses what the organisation's standing or the key's scopes do not permit, in that order. */
export function permit(caller: KeyAccess, scope: Scope): void {
  const { suspended, apiAccess, plan } = caller.organisation;
  if (suspended) throw new Refusal('COMPANY_SUSPENDED', 'the organisation is suspended');
  if (plan === 'free' || !apiAccess) {
    throw new Refusal('API_ACCESS_DISABLED', 'the organisation has no API access');
  }
  if (!caller.scopes.includes(scope)) {
    throw new Refusal('SCOPE_NOT_PERMITTED', `the key lacks the scope ${scope}`);
  }
}

/** A key that is not found may have been issued a moment ago: the second look is past the head. */
async function awaitAccess({
  db,
  store,
  signal,
}: Pick<RouteDeps, 'db' | 'store' | 'signal'>): Promise<void> {
  await awaitPosition(db, 'access', await store.head(), { signal });
}

function isExpired(access: KeyAccess, now: Date): boolean {
  return access.expiresAt !== null && Date.parse(access.expiresAt) <= now.getTime();
}

function invalidKey(): Refusal {
  return new Refusal(
    'INVALID_API_KEY',
    'the API key is missing, malformed, unknown, revoked or expired; send Authorization: Bearer KEY',
  );
}
