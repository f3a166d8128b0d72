import { randomBytes } from 'node:crypto';
import { Webhook as Oracle } from 'standardwebhooks';
import { test } from 'tap';
import type { OrganisationId, WebhookId } from '../../../src/domain/ulid.ts';
import { webhookDecider } from '../../../src/domain/webhook/decider.ts';
import { signingSecrets, type WebhookEndpoint } from '../../../src/domain/webhook/state.ts';
import {
  formatWebhookSecret,
  webhookSecretBytes,
} from '../../../src/domain/webhook/webhook-secret.ts';
import { fold } from '../../support/fold.ts';

const registered = webhookDecider.register({
  webhookId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as WebhookId,
  organisationId: '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId,
  url: 'https://hooks.example/',
  events: ['webhook.test'],
  description: null,
  secret: 'a',
});

/**
 * The endpoint after rotations to `secret`. Before each rotation the other secrets sign until
 * `until`.
 */
function rotated(...rotations: readonly (readonly [secret: string, until: string])[]) {
  const initial = fold(webhookDecider, registered) as WebhookEndpoint;
  return rotations.reduce((webhook, [secret, previousUntil]) => {
    const [event] = webhookDecider.rotateSecret(webhook, { secret, previousUntil });
    if (event === undefined) throw new Error('a rotation is always recorded');
    return webhookDecider.evolve(webhook, {
      ...event,
      recordedAt: '2026-01-01T00:00:00.000Z',
    }) as WebhookEndpoint;
  }, initial);
}
const at = (time: string) => new Date(`2026-01-${time}Z`);
const until = (time: string) => at(time).toISOString();

test('the previous secret signs until exactly its end', async (t) => {
  const webhook = rotated(['b', until('02T00:00:00.000')]);
  t.strictSame(signingSecrets(rotated(), at('01T00:00:00.000')), ['a']);
  t.strictSame(signingSecrets(webhook, at('01T23:59:59.999')), ['b', 'a']);
  t.strictSame(signingSecrets(webhook, at('02T00:00:00.000')), ['b']);
});

test('after a second rotation within the overlap the first secret signs until its own end', async (t) => {
  const webhook = rotated(['b', until('02T00:00:00.000')], ['c', until('02T12:00:00.000')]);
  t.strictSame(signingSecrets(webhook, at('01T12:00:00.000')), ['c', 'b', 'a']);
  t.strictSame(signingSecrets(webhook, at('02T00:00:00.000')), ['c', 'b']);
  t.strictSame(signingSecrets(webhook, at('02T12:00:00.000')), ['c']);
});

test('a rotation without overlap ends all previous secrets at once', async (t) => {
  const now = '01T06:00:00.000';
  const webhook = rotated(['b', until('02T00:00:00.000')], ['c', until(now)]);
  t.strictSame(signingSecrets(webhook, at(now)), ['c']);
});

test('after any number of rotations only a handful of secrets sign', async (t) => {
  const end = until('02T00:00:00.000');
  const webhook = rotated(...['b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, end] as const));
  t.strictSame(signingSecrets(webhook, at('01T00:00:00.000')), ['g', 'f', 'e', 'd', 'c']);
});

test('a secret has the Standard Webhooks form: whsec_ and the base64 of 24 to 64 bytes', async (t) => {
  const random = randomBytes(webhookSecretBytes);
  const secret = formatWebhookSecret(random);
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.strictSame(Buffer.from(secret.slice('whsec_'.length), 'base64'), random);
  t.match(new Oracle(secret).sign('msg', new Date(), '{}'), /^v1,/);
  t.throws(() => formatWebhookSecret(randomBytes(16)), /made of 32 bytes, not 16/);
});
