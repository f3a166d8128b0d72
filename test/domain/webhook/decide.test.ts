import { test } from 'tap';
import type { OrganisationId, WebhookId } from '../../../src/domain/ulid.ts';
import {
  changeWebhook,
  deleteWebhook,
  disableWebhook,
  registerWebhook,
  rotateWebhookSecret,
} from '../../../src/domain/webhook/decide.ts';
import type { WebhookEvent } from '../../../src/domain/webhook/events.ts';
import {
  evolveWebhook,
  unknownWebhook,
  type WebhookEndpoint,
  type WebhookState,
} from '../../../src/domain/webhook/state.ts';
import { fold } from '../../support/fold.ts';

const webhookId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as WebhookId;
const order = {
  webhookId,
  organisationId: '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId,
  url: 'https://hooks.example/in?token=s3cret',
  events: ['upload.failed', 'document.created'] as const,
  description: null,
  secret: 'whsec_first',
};
const registered = registerWebhook(order);
const after = (...events: readonly WebhookEvent[]): WebhookState =>
  fold(unknownWebhook, evolveWebhook, [...registered, ...events]);

/** The endpoint that these events lead to. */
function endpoint(...events: readonly WebhookEvent[]): WebhookEndpoint {
  const state = after(...events);
  if (state.status === 'active' || state.status === 'disabled') return state;
  throw new Error(`the endpoint is ${state.status}`);
}

const ids = { webhookId };
const disabled = { type: 'WebhookDisabled', data: { webhookId, reason: 'failing' } } as const;

test('a registered endpoint is active, and is told of each kind once', async (t) => {
  const { secret, ...rest } = order;
  t.strictSame(endpoint(), {
    status: 'active',
    ...rest,
    createdAt: '2026-01-01T00:00:00.000Z',
    secrets: [{ secret, until: null }],
  });
  const events = ['upload.failed', 'webhook.test', 'upload.failed', 'webhook.test'] as const;
  t.match(registerWebhook({ ...order, events }), [
    { data: { events: ['upload.failed', 'webhook.test'] } },
  ]);
});

test('a change is recorded with all that holds then; what is not named stays', async (t) => {
  const { url, events, description } = order;
  const change = (of: Parameters<typeof changeWebhook>[1], from = endpoint()) =>
    changeWebhook(from, of);
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

test('what is as ordered already is no change', async (t) => {
  const { url, events, description } = order;
  t.strictSame(changeWebhook(endpoint(), {}), []);
  t.strictSame(changeWebhook(endpoint(), { url, events, description, status: 'active' }), []);
  t.strictSame(changeWebhook(endpoint(disabled), { status: 'disabled' }), []);
});

test('its owner disables an endpoint and enables it again, whoever disabled it', async (t) => {
  const byCaller = [{ type: 'WebhookDisabled', data: { webhookId, reason: 'caller' } }] as const;
  t.strictSame(changeWebhook(endpoint(), { status: 'disabled' }), byCaller);
  t.match(after(...byCaller), {
    ...{ status: 'disabled', reason: 'caller', disabledAt: '2026-01-01T00:00:01.000Z' },
  });
  const enabled = [{ type: 'WebhookEnabled', data: ids }] as const;
  t.strictSame(changeWebhook(endpoint(disabled), { status: 'active' }), enabled);
  t.strictSame(after(disabled, ...enabled), after(), 'nothing is left of it');
  t.match(changeWebhook(endpoint(disabled), { url: 'https://b.example/', status: 'active' }), [
    { type: 'WebhookChanged' },
    { type: 'WebhookEnabled' },
  ]);
});

test('an endpoint is disabled once, for its first reason', async (t) => {
  t.strictSame(disableWebhook(after(), 'gone'), [
    { type: 'WebhookDisabled', data: { webhookId, reason: 'gone' } },
  ]);
  t.strictSame(disableWebhook(after(disabled), 'gone'), []);
  t.strictSame(disableWebhook(after(...deleteWebhook(endpoint())), 'gone'), []);
  t.strictSame(disableWebhook(unknownWebhook, 'gone'), []);
});

test('a deleted endpoint keeps nothing but its id', async (t) => {
  const { organisationId } = order;
  const deleted = { status: 'deleted', webhookId, organisationId };
  t.strictSame(after(...deleteWebhook(endpoint())), deleted);
  t.strictSame(after(disabled, ...deleteWebhook(endpoint(disabled))), deleted);
});

test('the endpoint of an erased organisation is deleted: what it was cannot be read', async (t) => {
  const [event] = registered;
  if (event?.type !== 'WebhookRegistered') throw new Error('it was registered');
  const recordedAt = '2026-01-01T00:00:00.000Z';
  const erased = evolveWebhook(unknownWebhook, { ...event, recordedAt, erased: true });
  t.equal(erased.status, 'deleted');
  t.equal(evolveWebhook(erased, { ...disabled, recordedAt }).status, 'deleted');
  const rotated = rotateWebhookSecret(endpoint(), { secret: 'x', previousUntil: recordedAt });
  for (const next of rotated) {
    t.equal(evolveWebhook(after(), { ...next, recordedAt, erased: true }).status, 'deleted');
  }
});

test('an event before the registration is a defect', async (t) => {
  const recordedAt = '2026-01-01T00:00:00.000Z';
  t.throws(() => evolveWebhook(unknownWebhook, { ...disabled, recordedAt }), {
    message: 'WebhookDisabled before WebhookRegistered',
  });
});
