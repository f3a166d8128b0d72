import { test } from 'tap';
import {
  changePlan,
  changeRequestLimits,
  changeUploadAllowance,
  closeOrganisation,
  eraseOrganisation,
  type OrganisationDecision,
  openOrganisation,
  resumeOrganisation,
  suspendOrganisation,
  switchApiAccess,
} from '../../../src/domain/organisation/decide.ts';
import type {
  OrganisationEvent,
  OrganisationOpened,
} from '../../../src/domain/organisation/events.ts';
import { parsePlan } from '../../../src/domain/organisation/plan.ts';
import {
  evolveOrganisation,
  type Organisation,
  unknownOrganisation,
} from '../../../src/domain/organisation/state.ts';
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

function organisation(...events: readonly OrganisationEvent[]): Organisation {
  const state = fold(unknownOrganisation, evolveOrganisation, [opened, ...events]);
  if (state.status !== 'open') throw new Error('it is not open');
  return state;
}

test('an organisation opens as it was ordered, active and with API access', async (t) => {
  t.strictSame(openOrganisation(order), [opened]);
  t.match(organisation(), { status: 'open', ...order, apiAccess: true, suspended: false });
});

test('names and limits are checked when an organisation opens', async (t) => {
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
    const refusal = refusalOf(() => openOrganisation({ ...order, ...change }));
    t.match(refusal, { code: 'INVALID_REQUEST', message }, JSON.stringify(change));
  }
  for (const name of ['x', '𝔘'.repeat(255), ' ', '"; DROP TABLE events; --']) {
    t.match(openOrganisation({ ...order, name }), [{ data: { name } }]);
  }
  t.match(openOrganisation({ ...order, uploadAllowance: null }), [{}]);
  t.match(openOrganisation({ ...order, uploadAllowance: 0 }), [{}]);
});

test('what is ordered is recorded once: ordered again it appends nothing', async (t) => {
  const cases: readonly [
    string,
    readonly OrganisationEvent[],
    (state: Organisation) => OrganisationDecision,
    OrganisationDecision,
  ][] = [
    ['plan', [], (o) => changePlan(o, 'free'), [{ type: 'PlanChanged', data: { plan: 'free' } }]],
    ['suspend', [], suspendOrganisation, [suspended]],
    ['resume', [suspended], resumeOrganisation, [resumed]],
    [
      'api access off',
      [],
      (o) => switchApiAccess(o, false),
      [{ type: 'ApiAccessChanged', data: { enabled: false } }],
    ],
    [
      'allowance',
      [],
      (o) => changeUploadAllowance(o, null),
      [{ type: 'UploadAllowanceChanged', data: { uploadAllowance: null } }],
    ],
    [
      'limits, one of them',
      [],
      (o) => changeRequestLimits(o, { perDay: 5 }),
      [{ type: 'RequestLimitsChanged', data: { requestsPerMinute: 60, requestsPerDay: 5 } }],
    ],
    [
      'limits, both',
      [],
      (o) => changeRequestLimits(o, { perMinute: 1, perDay: 5 }),
      [{ type: 'RequestLimitsChanged', data: { requestsPerMinute: 1, requestsPerDay: 5 } }],
    ],
  ];
  for (const [name, given, decide, then] of cases) {
    t.strictSame(decide(organisation(...given)), then, name);
    t.strictSame(decide(organisation(...given, ...then)), [], `${name}, again`);
  }
  t.strictSame(resumeOrganisation(organisation()), [], 'resuming an active one');
});

test('changed limits and allowances are checked', async (t) => {
  const state = organisation();
  t.match(
    refusalOf(() => changeRequestLimits(state, { perDay: 0 })),
    { code: 'INVALID_REQUEST' },
  );
  t.match(
    refusalOf(() => changeRequestLimits(state, { perMinute: 0.5 })),
    {
      code: 'INVALID_REQUEST',
    },
  );
  t.match(
    refusalOf(() => changeUploadAllowance(state, -1)),
    { code: 'INVALID_REQUEST' },
  );
});

test('plans are the three of the contract', async (t) => {
  for (const plan of ['free', 'professional', 'enterprise']) t.equal(parsePlan(plan), plan);
  t.match(
    refusalOf(() => parsePlan('gold')),
    {
      code: 'INVALID_REQUEST',
      message: 'plan: must be one of free, professional, enterprise',
    },
  );
});

test('an organisation is closed for good before it is erased, which is its last event', async (t) => {
  const { organisationId } = order;
  const closed: OrganisationEvent = { type: 'OrganisationClosed', data: {} };
  const erased: OrganisationEvent = { type: 'OrganisationErased', data: { organisationId } };
  t.strictSame(closeOrganisation(organisation()), [closed]);
  t.strictSame(closeOrganisation(organisation(closed)), []);
  t.throws(() => resumeOrganisation(organisation(suspended, closed)), {
    code: 'COMPANY_SUSPENDED',
    message: /closed for good/,
  });
  t.strictSame(eraseOrganisation(organisation(closed)), [erased]);
  const history = [opened, closed, erased];
  const state = fold(unknownOrganisation, evolveOrganisation, history);
  t.strictSame(state, { status: 'erased', organisationId });
  t.throws(() => fold(unknownOrganisation, evolveOrganisation, [...history, suspended]), /after/);
});

test('no event comes before the organisation opened', async (t) => {
  t.throws(() => fold(unknownOrganisation, evolveOrganisation, [suspended]), /before Organisation/);
});
