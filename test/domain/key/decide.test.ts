import { test } from 'tap';
import { hashApiKey } from '../../../src/domain/key/api-key.ts';
import { issueKey, type KeyOrder, revokeKey } from '../../../src/domain/key/decide.ts';
import type { KeyEvent } from '../../../src/domain/key/events.ts';
import { scopes } from '../../../src/domain/key/scope.ts';
import { evolveKey, unknownKey } from '../../../src/domain/key/state.ts';
import type { KeyId, OrganisationId } from '../../../src/domain/ulid.ts';
import { fold, refusalOf } from '../../support/fold.ts';

const now = new Date('2026-06-15T12:00:00Z');
const key = 'svc_live_abcdEFGH0123456789abcdEFGH012345';
const order: KeyOrder = {
  keyId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as KeyId,
  organisationId: '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId,
  name: null,
  scopes: ['documents:read'],
  agent: false,
  expiresAt: null,
  requestsPerMinute: null,
  requestsPerDay: null,
  grantable: null,
};
const issue = (change: Partial<KeyOrder>) => issueKey({ ...order, ...change }, key, now);

test('an issued key is recorded by its hash and first characters, never itself', async (t) => {
  const events = issue({ name: 'sweeper', requestsPerMinute: 600 });
  const { grantable: _, ...ordered } = order;
  t.strictSame(events, [
    {
      type: 'KeyIssued',
      data: {
        ...ordered,
        name: 'sweeper',
        requestsPerMinute: 600,
        keyHash: hashApiKey(key),
        displayPrefix: 'svc_live_abcd',
      },
    },
  ]);
  t.notOk(JSON.stringify(events).includes(key.slice(0, 14)));
});

test('scopes are known ones, at least one, each once', async (t) => {
  t.match(issue({ scopes: [...scopes].reverse().concat('documents:read') }), [
    { data: { scopes } },
  ]);
  for (const asked of [[], ['documents:erase'], [''], ['documents:read', 'DOCUMENTS:READ']]) {
    t.match(
      refusalOf(() => issue({ scopes: asked })),
      {
        code: 'INVALID_REQUEST',
        message: /^scopes: /,
      },
    );
  }
});

test('an agent key never carries webhooks:manage or api-keys:manage', async (t) => {
  for (const barred of ['webhooks:manage', 'api-keys:manage']) {
    t.match(
      refusalOf(() => issue({ agent: true, scopes: ['documents:write', barred] })),
      {
        code: 'INVALID_REQUEST',
        message: `scopes: an agent key never carries ${barred}`,
      },
    );
    t.match(issue({ agent: false, scopes: [barred] }), [{ data: { scopes: [barred] } }]);
  }
  t.match(issue({ agent: true, scopes: ['documents:write', 'certificates:read'] }), [{}]);
});

test('a key grants no scope that it lacks', async (t) => {
  const grantable = ['api-keys:manage', 'documents:read'] as const;
  t.match(issue({ grantable, scopes: ['documents:read'] }), [{}]);
  t.match(
    refusalOf(() => issue({ grantable, scopes: ['documents:read', 'documents:write'] })),
    {
      code: 'SCOPE_NOT_PERMITTED',
      message: /documents:write/,
    },
  );
});

test('an expiry is a date-time with time zone, in the future, kept in UTC', async (t) => {
  const cases: readonly [string, string][] = [
    ['2026-06-15T12:00:00.001Z', '2026-06-15T12:00:00.001Z'],
    ['2026-06-15T14:30+02:00', '2026-06-15T12:30:00.000Z'],
    ['2028-02-29T23:59:59.999999999-12:00', '2028-03-01T11:59:59.999Z'],
  ];
  for (const [given, kept] of cases) {
    t.match(issue({ expiresAt: given }), [{ data: { expiresAt: kept } }], given);
  }
  for (const past of [
    '2026-06-15T12:00:00Z',
    '2026-06-15T13:00:00+02:00',
    '1970-01-01T00:00:00Z',
  ]) {
    t.match(refusalOf(() => issue({ expiresAt: past })).message, /in the future/, past);
  }
  const malformed = [
    '',
    '2030-01-01',
    '2030-01-01T00:00:00',
    '2030-01-01 00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2030-02-30T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-01-01T24:00:00Z',
    '2030-01-01T00:60:00Z',
    '2030-01-01T00:00:60Z',
    '+012030-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    'tomorrow',
  ];
  for (const text of malformed) {
    t.match(refusalOf(() => issue({ expiresAt: text })).message, /ISO 8601/, text);
  }
});

test('names and limits of a key are checked', async (t) => {
  t.match(
    refusalOf(() => issue({ name: '' })),
    { code: 'INVALID_REQUEST' },
  );
  t.match(
    refusalOf(() => issue({ name: 'x'.repeat(256) })),
    { code: 'INVALID_REQUEST' },
  );
  t.match(
    refusalOf(() => issue({ requestsPerMinute: 0 })),
    { code: 'INVALID_REQUEST' },
  );
  t.match(
    refusalOf(() => issue({ requestsPerDay: 1.5 })),
    { code: 'INVALID_REQUEST' },
  );
});

test('a key is revoked once, for ever', async (t) => {
  const issued = issue({});
  const revoked: KeyEvent = { type: 'KeyRevoked', data: { keyId: order.keyId } };
  t.strictSame(revokeKey(fold(unknownKey, evolveKey, issued)), [revoked]);
  const state = fold(unknownKey, evolveKey, [...issued, revoked]);
  t.match(state, { status: 'revoked', keyId: order.keyId });
  t.strictSame(revokeKey(state), []);
  t.strictSame(revokeKey(unknownKey), []);
  t.throws(() => fold(unknownKey, evolveKey, [revoked]), /before KeyIssued/);
});
