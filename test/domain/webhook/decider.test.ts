import { test } from 'tap';
import type { OrganisationId, WebhookId } from '../../../src/domain/ulid.ts';
import { maxChanges, webhookDecider } from '../../../src/domain/webhook/decider.ts';
import type { WebhookEvent } from '../../../src/domain/webhook/events.ts';
import type { WebhookEndpoint, WebhookState } from '../../../src/domain/webhook/state.ts';
import { fold, refusalOf } from '../../support/fold.ts';

const webhookId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as WebhookId;
const order = {
  webhookId,
  organisationId: '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId,
  url: 'https://hooks.example/in?token=s3cret',
  events: ['upload.failed', 'document.created'] as const,
  description: null,
  secret: 'whsec_first',
};
const registered = webhookDecider.register(order);
const after = (...events: readonly WebhookEvent[]): WebhookState =>
  fold(webhookDecider, [...registered, ...events]);

/** The endpoint after these events. */
function endpoint(...events: readonly WebhookEvent[]): WebhookEndpoint {
  const state = after(...events);
  if (state.status === 'active' || state.status === 'disabled') return state;
  throw new Error(`the endpoint is ${state.status}`);
}

const ids = { webhookId };
const disabled = { type: 'WebhookDisabled', data: { webhookId, reason: 'failing' } } as const;

test('a registered endpoint is active, and lists each event kind once', async (t) => {
  const { secret, ...rest } = order;
  t.strictSame(endpoint(), {
    status: 'active',
    ...rest,
    createdAt: '2026-01-01T00:00:00.000Z',
    secrets: [{ secret, until: null }],
    changes: 0,
  });
  const events = ['upload.failed', 'webhook.test', 'upload.failed', 'webhook.test'] as const;
  t.match(webhookDecider.register({ ...order, events }), [
    { data: { events: ['upload.failed', 'webhook.test'] } },
  ]);
});

test('a change records all settings, and keeps those that are not named', async (t) => {
  const { url, events, description } = order;
  const change = (of: Parameters<typeof webhookDecider.change>[1], from = endpoint()) =>
    webhookDecider.change(from, of);
  const changed = (data: object) => [
    { type: 'WebhookChanged', data: { ...ids, url, events, description, ...data } },
  ];
  t.strictSame(change({ url: 'https://b.example/' }), changed({ url: 'https://b.example/' }));
  t.strictSame(change({ description: 'new' }), changed({ description: 'new' }));
  const described = endpoint(...change({ description: 'new' }));
  t.strictSame(change({ description: null }, described), changed({}));
  t.strictSame(
    change({ events: ['proof.failed', 'proof.failed'] }),
    changed({ events: ['proof.failed'] }),
  );
  t.match(endpoint(...change({ events: ['proof.failed'] })), {
    ...{ events: ['proof.failed'], url, description, status: 'active' },
    secrets: [{ secret: 'whsec_first', until: null }],
  });
});

test('a change to the current settings appends nothing', async (t) => {
  const { url, events, description } = order;
  t.strictSame(webhookDecider.change(endpoint(), {}), []);
  t.strictSame(
    webhookDecider.change(endpoint(), { url, events, description, status: 'active' }),
    [],
  );
  t.strictSame(webhookDecider.change(endpoint(disabled), { status: 'disabled' }), []);
});

test('the owner can disable an endpoint, and enable it even if the service disabled it', async (t) => {
  const byCaller = [{ type: 'WebhookDisabled', data: { webhookId, reason: 'caller' } }] as const;
  t.strictSame(webhookDecider.change(endpoint(), { status: 'disabled' }), byCaller);
  t.match(after(...byCaller), {
    ...{ status: 'disabled', reason: 'caller', disabledAt: '2026-01-01T00:00:01.000Z' },
  });
  const enabled = [{ type: 'WebhookEnabled', data: ids }] as const;
  t.strictSame(webhookDecider.change(endpoint(disabled), { status: 'active' }), enabled);
  const again = { ...endpoint(), changes: 1 };
  t.strictSame(after(disabled, ...enabled), again, 'no trace of the disabling is left');
  t.match(
    webhookDecider.change(endpoint(disabled), { url: 'https://b.example/', status: 'active' }),
    [{ type: 'WebhookChanged' }, { type: 'WebhookEnabled' }],
  );
});

test('an endpoint is disabled once, with its first reason', async (t) => {
  t.strictSame(webhookDecider.disable(after(), 'gone'), [
    { type: 'WebhookDisabled', data: { webhookId, reason: 'gone' } },
  ]);
  t.strictSame(webhookDecider.disable(after(disabled), 'gone'), []);
  t.strictSame(webhookDecider.disable(after(...webhookDecider.remove(endpoint())), 'gone'), []);
  t.strictSame(webhookDecider.disable(webhookDecider.initial, 'gone'), []);
});

test('an endpoint is not changed without end, and can always be disabled and deleted', async (t) => {
  const url = 'https://b.example/';
  const rotation = { secret: 'x', previousUntil: '2026-01-01T00:00:00.000Z' };
  const rounds = (count: number): readonly WebhookEvent[] =>
    Array.from({ length: count }, (_, n) => [
      ...webhookDecider.change(endpoint(), { url: `https://a.example/${n}` }),
      ...webhookDecider.rotateSecret(endpoint(), rotation),
      ...webhookDecider.disable(endpoint(), 'failing'),
      ...webhookDecider.change(endpoint(disabled), { status: 'active' }),
    ]).flat();
  const thirds = Math.floor(maxChanges / 3);
  const before = endpoint(...rounds(thirds));
  t.equal(before.changes, maxChanges - 1, 'disabling does not count');
  const events = webhookDecider.change(before, { url });
  t.match(events, [{ type: 'WebhookChanged' }]);
  for (const full of [
    fold(webhookDecider, events, before) as WebhookEndpoint,
    endpoint(...rounds(thirds + 9)),
  ]) {
    const off = fold(webhookDecider, [disabled], full) as WebhookEndpoint;
    for (const act of [
      () => webhookDecider.change(full, { description: 'new' }),
      () => webhookDecider.change(full, { description: 'new', status: 'disabled' }),
      () => webhookDecider.change(off, { status: 'active' }),
      () => webhookDecider.rotateSecret(full, rotation),
    ]) {
      t.match(refusalOf(act), {
        code: 'INVALID_REQUEST',
        message: /changed 1000 times.*delete it/,
      });
    }
    t.strictSame(webhookDecider.change(full, { url: full.url }), [], 'nothing changes');
    t.match(webhookDecider.change(full, { status: 'disabled' }), [{ type: 'WebhookDisabled' }]);
    t.match(webhookDecider.disable(full, 'gone'), [{ data: { reason: 'gone' } }]);
    t.match(webhookDecider.remove(off), [{ type: 'WebhookDeleted' }]);
  }
});

test('a deleted endpoint keeps only its id', async (t) => {
  const { organisationId } = order;
  const deleted = { status: 'deleted', webhookId, organisationId };
  t.strictSame(after(...webhookDecider.remove(endpoint())), deleted);
  t.strictSame(after(disabled, ...webhookDecider.remove(endpoint(disabled))), deleted);
});

test('the endpoint of an erased organisation is deleted, since its data cannot be read', async (t) => {
  const [event] = registered;
  if (event?.type !== 'WebhookRegistered') throw new Error('it was registered');
  const recordedAt = '2026-01-01T00:00:00.000Z';
  const erased = webhookDecider.evolve(webhookDecider.initial, {
    ...event,
    recordedAt,
    erased: true,
  });
  t.equal(erased.status, 'deleted');
  t.equal(webhookDecider.evolve(erased, { ...disabled, recordedAt }).status, 'deleted');
  const rotated = webhookDecider.rotateSecret(endpoint(), {
    secret: 'x',
    previousUntil: recordedAt,
  });
  for (const next of rotated) {
    t.equal(
      webhookDecider.evolve(after(), { ...next, recordedAt, erased: true }).status,
      'deleted',
    );
  }
});

test('throws for an event before the registration', async (t) => {
  const recordedAt = '2026-01-01T00:00:00.000Z';
  t.throws(() => webhookDecider.evolve(webhookDecider.initial, { ...disabled, recordedAt }), {
    message: 'WebhookDisabled before WebhookRegistered',
  });
});
