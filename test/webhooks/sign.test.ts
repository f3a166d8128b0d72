import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { test } from 'tap';
import { sign } from '../../src/webhooks/sign.ts';

const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`;
const message = (body: string) => ({
  id: '01M7XT7V10RJ1CFD26ZBSKQXP6',
  timestampSeconds: Math.floor(Date.now() / 1_000),
  body,
});

test('the Standard Webhooks package verifies our signatures, for any secret', async (t) => {
  for (const bytes of [24, 31, 32, 33, 64]) {
    const secret = newSecret(bytes);
    for (const body of ['{"type":"proof.completed"}', '{"é":"\u{1F4DC}\\u0000"}', '{}']) {
      const headers = sign(message(body), [secret]);
      t.strictSame(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body));
      t.throws(() => new Webhook(newSecret()).verify(body, { ...headers }));
      t.throws(() => new Webhook(secret).verify(`${body} `, { ...headers }));
    }
  }
});

test('with two secrets, either of them verifies', async (t) => {
  const [old, fresh] = [newSecret(), newSecret()];
  const headers = sign(message('{}'), [fresh, old]);
  for (const secret of [old, fresh]) t.ok(new Webhook(secret).verify('{}', { ...headers }));
  t.equal(headers['webhook-signature'].split(' ').length, 2);
});

test('id and time are signed too', async (t) => {
  const secret = newSecret();
  const headers = sign(message('{}'), [secret]);
  const verify = (changed: object) => new Webhook(secret).verify('{}', { ...headers, ...changed });
  const earlier = String(Number(headers['webhook-timestamp']) - 1);
  t.throws(() => verify({ 'webhook-timestamp': earlier }));
  t.throws(() => verify({ 'webhook-id': '01M7XT7V10RJ1CFD26ZBSKQXP7' }));
});

test('a known secret gives a known signature', async (t) => {
  // Test vector of Standard Webhooks 1.0.0, the same in each of its libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330 };
  const headers = sign({ ...signed, body: '{"test": 2432232314}' }, [secret]);
  t.strictSame(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});
