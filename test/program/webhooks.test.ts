import { Webhook as Oracle } from 'standardwebhooks';
import { test } from 'tap';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { dataOf, hashOf, prove } from '../support/api-client.ts';
import { dumpDatabase, formsOf } from '../support/dump-database.ts';
import { someText } from '../support/forms.ts';
import { liftLimits } from '../support/lift-limits.ts';
import { firstKey, newDataDir, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';
import { uploadDocument } from '../support/upload-client.ts';
import { callWebhooks, developmentRules } from '../support/webhook-client.ts';
import { type Received, startReceiver, status } from '../support/webhook-receiver.ts';

const idOf = ({ headers }: Received) => headers['webhook-id'] ?? '';
const typeOf = ({ body }: Received): string => JSON.parse(body).type;

test('an endpoint is registered, tested, rotated, disabled, retried and deleted without leaking a secret', async (t) => {
  const dataDir = await newDataDir(t);
  const env = { ...developmentRules, DATA_DIR: dataDir, LOG_LEVEL: 'trace' };
  const program = await startProgram(t, env);
  const caller = { address: program.address, ...(await firstKey(program)) };
  await liftLimits(dataDir);
  const receiver = await startReceiver(t);
  const { received } = receiver;
  const call = (method: string, path: string, json?: object) =>
    callWebhooks(caller, method, path, json);
  const arrived = (count: number) =>
    until(`${count} deliveries`, async () => received.length >= count && received.at(-1));

  const url = `${receiver.url}/in?token=T0K3N-of-first`;
  const events = ['document.created', 'upload.completed', 'proof.completed'];
  const registered = await call('POST', '', { url, events, description: 'D3SCR1PTI0N' });
  t.equal(registered.status, 201);
  const { id, secret } = registered.body.data;
  const log = async () => (await call('GET', `/${id}/deliveries`)).body.data;

  const document = dataOf(await uploadDocument(caller, { name: 'a.txt', bytes: someText() }));
  await arrived(3);
  t.strictSame(received.map(typeOf).toSorted(), events.toSorted());
  t.equal(new Set(received.map(idOf)).size, 3);
  for (const { path, headers, body } of received) {
    t.equal(path, '/in?token=T0K3N-of-first');
    const message = new Oracle(secret).verify(body, headers);
    t.match(message, { timestamp: /Z$/, data: { proofId: document.proofId } });
    t.notMatch(body, /proofNonce|agentClassification/);
  }
  const delivered = await until('three deliveries are recorded', async () => {
    const items = await log();
    return items.every((item: { status: string }) => item.status === 'delivered') && items;
  });
  t.match(delivered, [{ attempts: 1, responseStatus: 204, error: null, nextAttemptAt: null }]);
  t.equal(delivered.length, 3);
  t.match((await call('GET', '')).body.data, [{ id, lastDelivery: { status: 'delivered' } }]);

  const rotated = (await call('POST', `/${id}/rotate-secret`)).body.data;
  const tested = await call('POST', `/${id}/test`);
  t.match(tested.body.data, { delivered: true, status: 204, error: null });
  const test = received.at(-1);
  if (test === undefined) throw new Error('the test was received');
  for (const one of [secret, rotated.secret]) {
    t.match(new Oracle(one).verify(test.body, test.headers), { type: 'webhook.test' });
  }
  t.match((await call('GET', '')).body.data, [{ lastDelivery: { id: idOf(test) } }]);

  await call('PATCH', `/${id}`, { status: 'disabled' });
  await prove(caller, hashOf('while it is disabled'));
  const kept = await until('a delivery is held', async () => {
    const [newest] = await log();
    return newest.status === 'held' && newest;
  });
  t.match(kept, { type: 'proof.completed', attempts: 0, nextAttemptAt: null });
  t.match(await call('POST', `/${id}/deliveries/${kept.id}/retry`), { status: 409 });
  t.equal(received.length, 4);
  await call('PATCH', `/${id}`, { status: 'active' });
  t.match(await call('POST', `/${id}/deliveries/${kept.id}/retry`), {
    ...{ status: 200, body: { data: { id: kept.id, status: 'pending' } } },
  });
  const again = await arrived(5);
  t.equal(idOf(again), kept.id);
  t.match(new Oracle(rotated.secret).verify(again.body, again.headers), {
    type: 'proof.completed',
  });

  receiver.answer(status(500));
  await prove(caller, hashOf('while it fails'));
  const failed = await until('a failure is recorded', async () => {
    const [newest] = await log();
    return newest.attempts === 1 && newest.responseStatus === 500 && newest;
  });
  t.match(failed, { status: 'pending', nextAttemptAt: /Z$/, error: null });
  await call('PATCH', `/${id}`, { url: 'http://127.0.0.1:1/?token=T0K3N-of-second' });
  t.match((await call('POST', `/${id}/test`)).body.data, { delivered: false, status: null });
  t.match(await call('DELETE', `/${id}`), { status: 200 });
  t.match(await call('GET', `/${id}/deliveries`), { status: 404 });

  const postgres = await findEmbeddedPostgres({ dataDir });
  if (postgres === null) throw new Error('its PostgreSQL runs');
  const { pool, close } = openDatabase(postgres.url, { maxConnections: 1 });
  const pending = async () =>
    (await pool.query('SELECT id FROM webhook_deliveries WHERE webhook_id = $1', [id])).rows;
  await until('its retries are gone', async () => (await pending()).length === 0);
  const dump = await dumpDatabase(pool).finally(close);
  const { stdout, stderr } = await stop(program);
  t.match(stderr, '/api/v1/webhooks', 'the calls are in the log');
  const confidential = {
    ...{ secret, rotated: rotated.secret, description: 'D3SCR1PTI0N' },
    ...{ 'key of signatures': secret.slice('whsec_'.length) },
    ...{ token: 'T0K3N-of-first', 'other token': 'T0K3N-of-second' },
  };
  for (const [name, text] of Object.entries(confidential)) {
    for (const form of formsOf(text)) {
      t.notOk(dump.includes(form), `${name} in the database`);
      t.notOk(`${stdout}${stderr}`.includes(form), `${name} in the log`);
    }
  }
});

test('in production, development URLs and all ports but 443 are refused', async (t) => {
  const production = { NODE_ENV: 'production', DATA_DIR: await newDataDir(t) };
  const program = await startProgram(t, production);
  const { key } = await firstKey(program);
  const caller = { address: program.address, key };
  const register = (url: string) =>
    callWebhooks(caller, 'POST', '', { url, events: ['webhook.test'] });
  const refused = { status: 400, body: { code: 'INVALID_REQUEST', message: /^url: / } };
  for (const url of [
    'http://8.8.8.8/',
    'https://8.8.8.8:8443/',
    'https://127.0.0.1/',
    'https://localhost/',
  ]) {
    t.match(await register(url), refused, url);
  }
  t.match(await register('https://8.8.8.8/'), { status: 201 });
});
