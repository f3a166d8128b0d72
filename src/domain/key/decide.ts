import { canonicalDateTime } from '../date-time.ts';
import { checkRequestLimit } from '../limit.ts';
import { checkName } from '../name.ts';
import { Refusal } from '../refusal.ts';
import { displayPrefix, hashApiKey } from './api-key.ts';
import type { KeyEvent, KeyIssued } from './events.ts';
import { parseScopes, type Scope, scopesBarredToAgents } from './scope.ts';
import type { KeyState } from './state.ts';

/** `scopes` and `expiresAt` as they were given; null limits are the organisation's. */
export interface KeyOrder extends Omit<KeyIssued['data'], 'keyHash' | 'displayPrefix' | 'scopes'> {
  readonly scopes: readonly string[];
  /** What the one who asks may hand on; null for an operator, who may hand on everything. */
  readonly grantable: readonly Scope[] | null;
}

/** Issues `key`, of which only the hash and a short prefix enter the event. */
export function issueKey(order: KeyOrder, key: string, now: Date): readonly KeyEvent[] {
  const { grantable, ...rest } = order;
  const data: KeyIssued['data'] = {
    ...rest,
    keyHash: hashApiKey(key),
    displayPrefix: displayPrefix(key),
    name: order.name === null ? null : checkName('name', order.name),
    scopes: grant(parseScopes(order.scopes), order.agent, grantable),
    expiresAt: order.expiresAt === null ? null : checkExpiry(order.expiresAt, now),
    requestsPerMinute: checkOverride('requestsPerMinute', order.requestsPerMinute),
    requestsPerDay: checkOverride('requestsPerDay', order.requestsPerDay),
  };
  return [{ type: 'KeyIssued', data }];
}

/** A key that is revoked already stays so. */
export function revokeKey(state: KeyState): readonly KeyEvent[] {
  return state.status === 'issued' ? [{ type: 'KeyRevoked', data: { keyId: state.keyId } }] : [];
}

function grant(
  asked: readonly Scope[],
  agent: boolean,
  grantable: readonly Scope[] | null,
): readonly Scope[] {
  const barred = agent ? asked.filter((scope) => scopesBarredToAgents.includes(scope)) : [];
  if (barred.length > 0) {
    const message = `scopes: an agent key never carries ${barred.join(' or ')}`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  const lacking = asked.filter((scope) => grantable !== null && !grantable.includes(scope));
  if (lacking.length > 0) {
    const message = `scopes: this key lacks ${lacking.join(', ')} and cannot grant it`;
    throw new Refusal('SCOPE_NOT_PERMITTED', message);
  }
  return asked;
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

function checkOverride(field: string, value: number | null): number | null {
  return value === null ? null : checkRequestLimit(field, value);
}
