import { test } from 'tap';
import { hashApiKey } from '../../../src/domain/key/api-key.ts';
import { type KeyOrder, keyDecider } from '../../../src/domain/key/decider.ts';
import type { KeyEvent } from '../../../src/domain/key/events.ts';
import type { Issuer } from '../../../src/domain/key/inherit.ts';
import { keyPlacesDecider } from '../../../src/domain/key/places-decider.ts';
import { scopes } from '../../../src/domain/key/scope.ts';
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
};
const organisation = { requestsPerMinute: 60, requestsPerDay: 10_000 };
const issue = (change: Partial<KeyOrder>) =>
  keyDecider.issue({ ...order, ...change }, key, now, { organisation, issuer: null });

/** A key of 30 requests a minute that expires in 90 minutes. */
const issuer: Issuer = {
  scopes: ['api-keys:manage', 'documents:read'],
  expiresAt: '2026-06-15T13:30:00.000Z',
  requestsPerMinute: 30,
  requestsPerDay: null,
};
const mint = (change: Partial<KeyOrder>, by: Partial<Issuer> = {}) =>
  keyDecider.issue({ ...order, ...change }, key, now, {
    organisation,
    issuer: { ...issuer, ...by },
  });

test('an issued key is recorded by its hash and first characters, never as itself', async (t) => {
  const events = issue({ name: 'sweeper', requestsPerMinute: 600 });
  t.strictSame(events, [
    {
      type: 'KeyIssued',
      data: {
        ...order,
        name: 'sweeper',
        requestsPerMinute: 600,
        keyHash: hashApiKey(key),
        displayPrefix: 'svc_live_abcd',
      },
    },
  ]);
  t.notOk(JSON.stringify(events).includes(key.slice(0, 14)));
});

test('a key needs at least one scope, and only known ones, without duplicates', async (t) => {
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
        message: `scopes: an agent key must not have ${barred}`,
      },
    );
    t.match(issue({ agent: false, scopes: [barred] }), [{ data: { scopes: [barred] } }]);
  }
  t.match(issue({ agent: true, scopes: ['documents:write', 'certificates:read'] }), [{}]);
});

test('a key cannot grant a scope that it lacks', async (t) => {
  t.match(mint({ scopes: ['documents:read'] }), [{}]);
  t.match(
    refusalOf(() => mint({ scopes: ['documents:read', 'documents:write'] })),
    {
      code: 'SCOPE_NOT_PERMITTED',
      message: /documents:write/,
    },
  );
});

test('a minted key expires no later than its issuer', async (t) => {
  const { expiresAt } = issuer;
  t.match(mint({}), [{ data: { expiresAt } }], 'no expiry requested');
  t.match(mint({ expiresAt: '2026-06-15T15:30:00+02:00' }), [{ data: { expiresAt } }]);
  const earlier = '2026-06-15T13:29:59.999Z';
  t.match(mint({ expiresAt: earlier }), [{ data: { expiresAt: earlier } }]);
  const later = refusalOf(() => mint({ expiresAt: '2026-06-15T13:30:00.001Z' }));
  t.match(later, { code: 'INVALID_REQUEST', message: /^expiresAt: .* 2026-06-15T13:30:00.000Z/ });
  const far = '2999-01-01T00:00:00.000Z';
  t.match(mint({ expiresAt: far }, { expiresAt: null }), [{ data: { expiresAt: far } }]);
  t.match(mint({}, { expiresAt: null }), [{ data: { expiresAt: null } }]);
});

test('a minted key has no higher request limits than its issuer', async (t) => {
  t.match(mint({}), [{ data: { requestsPerMinute: 30, requestsPerDay: null } }]);
  t.match(mint({ requestsPerMinute: 29, requestsPerDay: 10_000 }), [
    { data: { requestsPerMinute: 29, requestsPerDay: 10_000 } },
  ]);
  const more: readonly [string, Partial<KeyOrder>, Partial<Issuer>, number][] = [
    ['its own', { requestsPerMinute: 31 }, {}, 30],
    ["the organisation's", { requestsPerDay: 10_001 }, {}, 10_000],
    ["the organisation's", { requestsPerMinute: 61 }, { requestsPerMinute: null }, 60],
  ];
  for (const [whose, asked, by, most] of more) {
    const message = new RegExp(`^${Object.keys(asked)[0]}: must be at most ${most}, `);
    t.match(
      refusalOf(() => mint(asked, by)),
      { code: 'INVALID_REQUEST', message },
      whose,
    );
  }
  t.match(mint({ requestsPerMinute: 600 }, { requestsPerMinute: 900 }), [
    { data: { requestsPerMinute: 600 } },
  ]);
  t.match(
    refusalOf(() => mint({ requestsPerMinute: 0 })),
    { code: 'INVALID_REQUEST', message: /positive/ },
  );
});

test('refuses the 101st key that is neither revoked nor expired', async (t) => {
  const { keyId } = order;
  t.strictSame(keyPlacesDecider.take(99, null, keyId), [
    { type: 'KeyPlaceTaken', data: { keyId, taken: 100 } },
  ]);
  const refused = refusalOf(() => keyPlacesDecider.take(100, null, keyId));
  t.match(refused, {
    code: 'API_KEY_LIMIT_REACHED',
    message: /^the organisation has 100 API keys/,
  });
  t.match(keyPlacesDecider.take(100, 101, keyId), [{}], 'the operator set a higher limit');
  t.match(
    refusalOf(() => keyPlacesDecider.take(100, 5, keyId)),
    { code: 'API_KEY_LIMIT_REACHED' },
    'the operator set a lower limit than the number of keys',
  );
});

test('an expiry is a future date-time with time zone, stored in UTC', async (t) => {
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

test('checks names and limits of a key', async (t) => {
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

test('a key is revoked once and for good', async (t) => {
  const issued = issue({});
  const revoked: KeyEvent = { type: 'KeyRevoked', data: { keyId: order.keyId } };
  t.strictSame(keyDecider.revoke(fold(keyDecider, issued)), [revoked]);
  const state = fold(keyDecider, [...issued, revoked]);
  t.match(state, { status: 'revoked', keyId: order.keyId });
  t.strictSame(keyDecider.revoke(state), []);
  t.strictSame(keyDecider.revoke(keyDecider.initial), []);
  t.throws(() => fold(keyDecider, [revoked]), /before KeyIssued/);
});
