import { canonicalDateTime } from '../date-time.ts';
import type { Decisions, OwnedDecider } from '../decider.ts';
import { checkPositive } from '../limit.ts';
import { checkName } from '../name.ts';
import type { Organisation } from '../organisation/state.ts';
import { ownerOf } from '../owner-of.ts';
import { Refusal } from '../refusal.ts';
import { displayPrefix, hashApiKey } from './api-key.ts';
import type { KeyEvent, KeyIssued } from './events.ts';
import { type Issuer, inheritExpiry, inheritLimit, inheritScopes } from './inherit.ts';
import { parseScopes, type Scope, scopesBarredToAgents } from './scope.ts';
import { evolveKey, type KeyState, unknownKey } from './state.ts';

/** State of an API key's stream, and the decisions on it. */
export const keyDecider = {
  initial: unknownKey,
  evolve: evolveKey,
  ownerOf,
  issue,
  revoke,
} satisfies OwnedDecider<KeyState, KeyEvent> & Decisions;

/**
 * Order of a key, with `scopes` and `expiresAt` as the caller gave them. Null limits are inherited
 * or the organisation's.
 */
export interface KeyOrder extends Omit<KeyIssued['data'], 'keyHash' | 'displayPrefix' | 'scopes'> {
  readonly scopes: readonly string[];
}

/** The organisation of a new key and the key that issues it; null for an operator. */
interface KeyOrigin {
  readonly organisation: Pick<Organisation, 'requestsPerMinute' | 'requestsPerDay'>;
  readonly issuer: Issuer | null;
}

/**
 * Issues `key`. The event holds only its hash and a short prefix. A key that another key issues has
 * no scope that the issuer lacks, expires no later, and has no higher limits.
 */
function issue(
  order: KeyOrder,
  key: string,
  now: Date,
  { organisation, issuer }: KeyOrigin,
): readonly KeyEvent[] {
  const scopes = withoutBarred(parseScopes(order.scopes), order.agent);
  const expiresAt = order.expiresAt === null ? null : checkExpiry(order.expiresAt, now);
  const limit = (field: 'requestsPerMinute' | 'requestsPerDay') => {
    const asked = order[field] === null ? null : checkPositive(field, order[field]);
    return issuer === null ? asked : inheritLimit(field, asked, issuer, organisation);
  };
  const data: KeyIssued['data'] = {
    ...order,
    keyHash: hashApiKey(key),
    displayPrefix: displayPrefix(key),
    name: order.name === null ? null : checkName('name', order.name),
    scopes: issuer === null ? scopes : inheritScopes(scopes, issuer),
    expiresAt: issuer === null ? expiresAt : inheritExpiry(expiresAt, issuer),
    requestsPerMinute: limit('requestsPerMinute'),
    requestsPerDay: limit('requestsPerDay'),
  };
  return [{ type: 'KeyIssued', data }];
}

/** Revokes the key. Appends nothing if it is not in use. */
function revoke(state: KeyState): readonly KeyEvent[] {
  return state.status === 'issued' ? [{ type: 'KeyRevoked', data: { keyId: state.keyId } }] : [];
}

/** Refuses scopes that the key of an agent never carries, with INVALID_REQUEST. */
function withoutBarred(asked: readonly Scope[], agent: boolean): readonly Scope[] {
  const barred = agent ? asked.filter((scope) => scopesBarredToAgents.includes(scope)) : [];
  if (barred.length === 0) return asked;
  const message = `scopes: an agent key must not have ${barred.join(' or ')}`;
  throw new Refusal('INVALID_REQUEST', message);
}

function checkExpiry(text: string, now: Date): string {
  const expiresAt = canonicalDateTime(text);
  if (expiresAt === null) {
    throw new Refusal(
      'INVALID_REQUEST',
      'expiresAt: must be an ISO 8601 date-time with time zone, such as 2030-01-31T12:00:00Z',
    );
  }
  if (Date.parse(expiresAt) <= now.getTime()) {
    throw new Refusal('INVALID_REQUEST', 'expiresAt: must be in the future');
  }
  return expiresAt;
}
