import type { KeyAccess } from '../../../projections/access/query.ts';
import { hashApiKey, isWellFormedApiKey } from '../../domain/key/api-key.ts';
import type { Scope } from '../../domain/key/scope.ts';
import { requireApiAccess } from '../../domain/organisation/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ReadMany } from '../../event-store/read-coalescer.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';

/** Dependencies of identifying callers. */
export interface AuthenticationDeps extends ReadDeps {
  /** Access of keys by hash. Concurrent look-ups are combined. */
  readonly keyAccesses: ReadMany<string, KeyAccess>;
  readonly now: () => Date;
}

/** RFC 6750: the scheme in any case, one or more spaces, then the token and nothing else. */
const bearer = /^Bearer +([^\s]+) *$/i;

/**
 * Returns the access of the key in the `Authorization` header. Refuses with INVALID_API_KEY, with
 * the same message for every reason. Keys are looked up by SHA-256, so no secrets are compared
 * here. `onFailure` runs before the refusal, and before the second look-up of an unknown key;
 * `onFailure` may refuse by itself.
 */
export async function authenticate(
  services: AuthenticationDeps,
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

/**
 * Checks the organisation's standing, then the key's scopes. Refuses as `requireStanding`, or with
 * SCOPE_NOT_PERMITTED.
 */
export function permit(caller: KeyAccess, scope: Scope): void {
  requireStanding(caller);
  if (!caller.scopes.includes(scope)) {
    throw new Refusal(
      'SCOPE_NOT_PERMITTED',
      `the API key lacks the scope ${scope}, which this call requires`,
    );
  }
}

/** Refuses with COMPANY_SUSPENDED or API_ACCESS_DISABLED. */
export function requireStanding(caller: KeyAccess): void {
  if (caller.organisation.suspended)
    throw new Refusal(
      'COMPANY_SUSPENDED',
      'the organisation is suspended; contact the operator of the service',
    );
  requireApiAccess(caller.organisation);
}

/**
 * Waits until the read model reaches the head of the log: an unknown key may have just been issued.
 */
async function awaitAccess({ db, store, signal }: ReadDeps): Promise<void> {
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
