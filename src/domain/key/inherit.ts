import { Refusal } from '../refusal.ts';
import type { KeyIssued } from './events.ts';
import { type Scope, scopes } from './scope.ts';

/** The key that issues another one. */
export type Issuer = Pick<
  KeyIssued['data'],
  'scopes' | 'expiresAt' | 'requestsPerMinute' | 'requestsPerDay'
>;

/** An owner, who issues a key in the console: bound by the limits of the organisation alone. */
export const ownerAsIssuer: Issuer = {
  scopes,
  expiresAt: null,
  requestsPerMinute: null,
  requestsPerDay: null,
};

/** Returns the requested scopes. Refuses with SCOPE_NOT_PERMITTED a scope that the issuer lacks. */
export function inheritScopes(asked: readonly Scope[], issuer: Issuer): readonly Scope[] {
  const lacking = asked.filter((scope) => !issuer.scopes.includes(scope));
  if (lacking.length === 0) return asked;
  const message = `scopes: must be scopes of the requesting key, which lacks ${lacking.join(', ')}`;
  throw new Refusal('SCOPE_NOT_PERMITTED', message);
}

/** Returns the requested expiry, or the issuer's. Refuses with INVALID_REQUEST a later one. */
export function inheritExpiry(asked: string | null, { expiresAt }: Issuer): string | null {
  if (asked === null || expiresAt === null) return asked ?? expiresAt;
  if (Date.parse(asked) <= Date.parse(expiresAt)) return asked;
  const message = `expiresAt: must not be later than ${expiresAt}, when the requesting key expires`;
  throw new Refusal('INVALID_REQUEST', message);
}

/**
 * Returns the requested limit, or the issuer's own; null if the organisation's applies to both.
 * Refuses with INVALID_REQUEST a limit above the issuer's.
 */
export function inheritLimit(
  field: 'requestsPerMinute' | 'requestsPerDay',
  asked: number | null,
  issuer: Issuer,
  organisation: { readonly [Field in typeof field]: number },
): number | null {
  if (asked === null) return issuer[field];
  const most = issuer[field] ?? organisation[field];
  if (asked <= most) return asked;
  const whose = issuer === ownerAsIssuer ? 'keys of the organisation' : 'the requesting key';
  const message = `${field}: must be at most ${most}, the limit of ${whose}`;
  throw new Refusal('INVALID_REQUEST', message);
}
