import { test } from 'tap';
import {
  type OrganisationDecision,
  organisationDecider,
} from '../../../src/domain/organisation/decider.ts';
import type {
  OrganisationEvent,
  OrganisationOpened,
} from '../../../src/domain/organisation/events.ts';
import {
  defaultOrganisationLimits,
  type OrganisationLimits,
  totalRequestLimits,
} from '../../../src/domain/organisation/organisation-limits.ts';
import { parsePlan } from '../../../src/domain/organisation/plan.ts';
import type { Organisation } from '../../../src/domain/organisation/state.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { fold, refusalOf } from '../../support/fold.ts';

const order: OrganisationOpened['data'] = {
  organisationId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as OrganisationId,
  name: 'Ärger & Söhne',
  plan: 'professional',
  hashScheme: 'hmac-sha256-nonce-v3',
  uploadAllowance: 10,
  requestsPerMinute: 60,
  requestsPerDay: 10_000,
};
const opened: OrganisationEvent = { type: 'OrganisationOpened', data: order };
const suspended: OrganisationEvent = { type: 'OrganisationSuspended', data: {} };
const resumed: OrganisationEvent = { type: 'OrganisationResumed', data: {} };

const ofAll = (limits: Partial<OrganisationLimits>): OrganisationEvent => ({
  type: 'OrganisationLimitsChanged',
  data: { ...defaultOrganisationLimits, ...limits },
});

function organisation(...events: readonly OrganisationEvent[]): Organisation {
  const state = fold(organisationDecider, [opened, ...events]);
  if (state.status !== 'open') throw new Error('it is not open');
  return state;
}

test('an organisation opens as ordered, active and with API access', async (t) => {
  t.strictSame(organisationDecider.open(order), [opened]);
  t.match(organisation(), { status: 'open', ...order, apiAccess: true, suspended: false });
});

test('checks names and limits when an organisation opens', async (t) => {
  const cases: readonly [Partial<OrganisationOpened['data']>, RegExp][] = [
    [{ name: '' }, /^name: must have 1 to 255/],
    [{ name: 'x'.repeat(256) }, /^name: must have 1 to 255/],
    [{ name: 'a\0b' }, /^name: must not contain NUL/],
    [{ name: 'a\ud800' }, /^name: must be well-formed/],
    [{ uploadAllowance: -1 }, /^uploadAllowance: /],
    [{ uploadAllowance: 1.5 }, /^uploadAllowance: /],
    [{ requestsPerMinute: 0 }, /^requestsPerMinute: must be a positive/],
    [{ requestsPerDay: Number.NaN }, /^requestsPerDay: must be a positive/],
    [{ requestsPerDay: 2 ** 53 }, /^requestsPerDay: must be a positive/],
  ];
  for (const [change, message] of cases) {
    const refusal = refusalOf(() => organisationDecider.open({ ...order, ...change }));
    t.match(refusal, { code: 'INVALID_REQUEST', message }, JSON.stringify(change));
  }
  for (const name of ['x', '𝔘'.repeat(255), ' ', '"; DROP TABLE events; --']) {
    t.match(organisationDecider.open({ ...order, name }), [{ data: { name } }]);
  }
  t.match(organisationDecider.open({ ...order, uploadAllowance: null }), [{}]);
  t.match(organisationDecider.open({ ...order, uploadAllowance: 0 }), [{}]);
});

test('the same order again appends nothing', async (t) => {
  const cases: readonly [
    string,
    readonly OrganisationEvent[],
    (state: Organisation) => OrganisationDecision,
    OrganisationDecision,
  ][] = [
    [
      'plan',
      [],
      (o) => organisationDecider.changePlan(o, 'free'),
      [{ type: 'PlanChanged', data: { plan: 'free' } }],
    ],
    ['suspend', [], organisationDecider.suspend, [suspended]],
    ['resume', [suspended], organisationDecider.resume, [resumed]],
    [
      'api access off',
      [],
      (o) => organisationDecider.switchApiAccess(o, false),
      [{ type: 'ApiAccessChanged', data: { enabled: false } }],
    ],
    [
      'allowance',
      [],
      (o) => organisationDecider.changeUploadAllowance(o, null),
      [{ type: 'UploadAllowanceChanged', data: { uploadAllowance: null } }],
    ],
    [
      'limits, one of them',
      [],
      (o) => organisationDecider.changeRequestLimits(o, { perDay: 5 }),
      [{ type: 'RequestLimitsChanged', data: { requestsPerMinute: 60, requestsPerDay: 5 } }],
    ],
    [
      'limits, both',
      [],
      (o) => organisationDecider.changeRequestLimits(o, { perMinute: 1, perDay: 5 }),
      [{ type: 'RequestLimitsChanged', data: { requestsPerMinute: 1, requestsPerDay: 5 } }],
    ],
    [
      'limits of all keys together',
      [],
      (o) => organisationDecider.changeOrganisationLimits(o, { totalRequestsPerDay: 7 }),
      [ofAll({ totalRequestsPerDay: 7 })],
    ],
    [
      'the number of keys, beside limits',
      [ofAll({ totalRequestsPerDay: 7 })],
      (o) => organisationDecider.changeOrganisationLimits(o, { maxKeys: 3 }),
      [ofAll({ totalRequestsPerDay: 7, maxKeys: 3 })],
    ],
    [
      'the defaults again',
      [ofAll({ totalRequestsPerDay: 7, maxKeys: 3 })],
      (o) =>
        organisationDecider.changeOrganisationLimits(o, {
          totalRequestsPerDay: null,
          maxKeys: null,
        }),
      [ofAll({})],
    ],
  ];
  for (const [name, given, decide, then] of cases) {
    t.strictSame(decide(organisation(...given)), then, name);
    t.strictSame(decide(organisation(...given, ...then)), [], `${name}, again`);
  }
  t.strictSame(organisationDecider.resume(organisation()), [], 'resuming an active organisation');
});

test('checks changed limits and allowances', async (t) => {
  const state = organisation();
  t.match(
    refusalOf(() => organisationDecider.changeRequestLimits(state, { perDay: 0 })),
    { code: 'INVALID_REQUEST' },
  );
  t.match(
    refusalOf(() => organisationDecider.changeRequestLimits(state, { perMinute: 0.5 })),
    {
      code: 'INVALID_REQUEST',
    },
  );
  for (const name of ['totalRequestsPerMinute', 'totalRequestsPerDay', 'maxKeys']) {
    for (const value of [0, -1, 0.5, 2 ** 53]) {
      const refusal = refusalOf(() =>
        organisationDecider.changeOrganisationLimits(state, { [name]: value }),
      );
      const message = `${name}: must be a positive whole number`;
      t.match(refusal, { code: 'INVALID_REQUEST', message });
    }
  }
  t.match(
    refusalOf(() => organisationDecider.changeUploadAllowance(state, -1)),
    { code: 'INVALID_REQUEST' },
  );
});

test('all keys together get ten times the limits of one key, and at least the highest key limit', async (t) => {
  const none = { perMinute: null, perDay: null };
  const total = (limits: Partial<Parameters<typeof totalRequestLimits>[0]>) =>
    totalRequestLimits({
      ...{ set: none, highest: none, ofAKey: { perMinute: 60, perDay: 10_000 } },
      ...limits,
    });
  t.strictSame(total({}), { perMinute: 600, perDay: 100_000 });
  t.strictSame(total({ highest: { perMinute: 599, perDay: 5_000_000 } }), {
    ...{ perMinute: 600, perDay: 5_000_000 },
  });
  const set = { perMinute: 90, perDay: null };
  t.strictSame(total({ set, highest: { perMinute: 100, perDay: null } }), {
    ...{ perMinute: 90, perDay: 100_000 },
  });
  const { MAX_SAFE_INTEGER: most } = Number;
  t.equal(total({ ofAKey: { perMinute: most, perDay: 1 } }).perMinute, most);
});

test('plans are exactly free, professional and enterprise', async (t) => {
  for (const plan of ['free', 'professional', 'enterprise']) t.equal(parsePlan(plan), plan);
  t.match(
    refusalOf(() => parsePlan('gold')),
    {
      code: 'INVALID_REQUEST',
      message: 'plan: must be one of free, professional, enterprise',
    },
  );
});

test('an organisation is closed for good before it is erased, and erasure is its last event', async (t) => {
  const { organisationId } = order;
  const closed: OrganisationEvent = { type: 'OrganisationClosed', data: {} };
  const erased: OrganisationEvent = { type: 'OrganisationErased', data: { organisationId } };
  t.strictSame(organisationDecider.close(organisation()), [closed]);
  t.strictSame(organisationDecider.close(organisation(closed)), []);
  t.throws(() => organisationDecider.resume(organisation(suspended, closed)), {
    code: 'COMPANY_SUSPENDED',
    message: /closed for good/,
  });
  t.strictSame(organisationDecider.erase(organisation(closed)), [erased]);
  const history = [opened, closed, erased];
  const state = fold(organisationDecider, history);
  t.strictSame(state, { status: 'erased', organisationId });
  t.throws(() => fold(organisationDecider, [...history, suspended]), /after/);
});

test('throws for an event before the organisation opened', async (t) => {
  t.throws(() => fold(organisationDecider, [suspended]), /before Organisation/);
});
