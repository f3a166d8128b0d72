import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { test } from 'tap';
import { verifyWebhook } from '../../../clients/typescript/src/webhooks.ts';
import { sign } from '../../../src/webhooks/sign.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const body = JSON.stringify({ type: 'webhook.test', timestamp: 'T', data: { id: 'ä' } });
const nowMs = Date.now();
const timestampSeconds = Math.floor(nowMs / 1_000);

test('a delivery that the service or the reference library signs is genuine', async (t) => {
  const secret = newSecret();
  const signed = sign({ id: 'D1', timestampSeconds, body }, [newSecret(), secret]);
  const expected = { type: 'webhook.test', data: { id: 'ä' } };
  t.match(verifyWebhook({ secret, headers: { ...signed }, body }), expected);
  const bytes = new TextEncoder().encode(body);
  t.match(
    verifyWebhook({
      secret: [newSecret(), secret],
      headers: new Headers({ ...signed }),
      body: bytes,
    }),
    expected,
  );
  const upper = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]),
  );
  t.match(verifyWebhook({ secret, headers: upper, body }), expected);
  const library = new Webhook(secret).sign('D2', new Date(nowMs), body);
  const headers = { 'webhook-id': 'D2', 'webhook-timestamp': `${timestampSeconds}` };
  t.match(
    verifyWebhook({ secret, headers: { ...headers, 'webhook-signature': library }, body }),
    expected,
  );
});

test('a delivery that was altered, is old or is of another secret is refused', async (t) => {
  const secret = newSecret();
  const headers = { ...sign({ id: 'D1', timestampSeconds, body }, [secret]) };
  const given = { secret, headers, body, nowMs };
  const wrong = {
    body: { ...given, body: body.replace('ä', 'a') },
    id: { ...given, headers: { ...headers, 'webhook-id': 'D2' } },
    time: { ...given, headers: { ...headers, 'webhook-timestamp': `${timestampSeconds - 1}` } },
    secret: { ...given, secret: newSecret() },
    old: { ...given, nowMs: nowMs + 302_000 },
    future: { ...given, nowMs: nowMs - 302_000 },
    unsigned: { ...given, headers: { ...headers, 'webhook-signature': '' } },
    nameless: { ...given, headers: {} },
    noTime: { ...given, headers: { ...headers, 'webhook-timestamp': 'now' } },
  };
  for (const [name, delivery] of Object.entries(wrong)) {
    t.throws(() => verifyWebhook(delivery), { code: 'INVALID_SIGNATURE' }, name);
  }
  t.throws(() => verifyWebhook({ ...given, secret: 'secret' }), { code: 'INVALID_OPTION' });
});
