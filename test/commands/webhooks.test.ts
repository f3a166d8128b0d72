import { join } from 'node:path';
import { test } from 'tap';
import { changeWebhook } from '../../src/commands/change-webhook.ts';
import { disableWebhook } from '../../src/commands/disable-webhook.ts';
import { registerWebhook } from '../../src/commands/register-webhook.ts';
import { removeWebhook } from '../../src/commands/remove-webhook.ts';
import { rotateWebhookSecret } from '../../src/commands/rotate-webhook-secret.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId, WebhookId } from '../../src/domain/ulid.ts';
import { signingSecrets } from '../../src/domain/webhook/state.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { loadWebhook } from '../../src/loading/load-webhook.ts';
import { joinTestStore, openTestStore } from '../support/event-store.ts';
import { run } from '../support/run.ts';
import {
  webhookMeta as meta,
  openWebhookOwner,
  startLock,
  webhookDeps,
  webhookOf,
} from '../support/webhooks.ts';

const many = (count: number) => Array.from({ length: count });
const refused = (count: number) => many(count).map(() => 'INVALID_REQUEST');

/** Number of endpoints of the organisation, and the number counted by its stream of places. */
async function counted(store: EventStore, organisationId: OrganisationId) {
  const of = (type: string) => store.readLog(0, 1_000, [type]);
  const [registered, deleted] = await Promise.all(['WebhookRegistered', 'WebhookDeleted'].map(of));
  const last = await store.readLast(streams.webhookPlaces(organisationId));
  return {
    there: (registered?.length ?? 0) - (deleted?.length ?? 0),
    taken: last !== null && 'taken' in last.data ? last.data.taken : 0,
  };
}

test('20 of 50 concurrent registrations of endpoints are accepted, 30 are refused', async (t) => {
  const { store } = await joinTestStore();
  const organisationId = await openWebhookOwner(store);
  const deps = webhookDeps(store);
  const outcomes = await Promise.allSettled(
    many(50).map(() => registerWebhook(deps, webhookOf(organisationId), meta)),
  );
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.code] : [],
  );
  t.strictSame(refusals, refused(30));
  t.strictSame(await counted(store, organisationId), { there: 20, taken: 20 });
  const other = await openWebhookOwner(store);
  await t.resolves(
    registerWebhook(deps, webhookOf(other), meta),
    'each organisation has its own places',
  );
});

test('two separate processes register 20 endpoints in total', async (t) => {
  const { store, url, masterKey, pool } = await joinTestStore();
  const organisationId = await openWebhookOwner(store);
  const holder = await pool.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [startLock]);
  const script = join(import.meta.dirname, '../support/webhook-racer.ts');
  const args = [url, masterKey.toString('base64'), organisationId, '25'];
  const racers = [1, 2].map(() => run(t, [process.execPath, script, ...args]));
  await Promise.all(racers.map(({ said }) => said(/^ready$/m)));
  await holder.query('SELECT pg_advisory_unlock($1)', [startLock]);
  holder.release();
  const outcomes = await Promise.all(
    racers.map(async ({ ended }) => {
      const { stdout, stderr, code } = await ended;
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout.replace('ready\n', '')) as {
        registered: number;
        refusals: string[];
      };
    }),
  );
  t.comment(outcomes.map(({ registered }) => `${registered} registered`).join(', '));
  t.strictSame(
    outcomes.flatMap(({ refusals }) => refusals),
    refused(30),
  );
  t.strictSame(await counted(store, organisationId), { there: 20, taken: 20 });
});

test('two stores in one process register and delete concurrently, and the count stays correct', async (t) => {
  const { store, url } = await joinTestStore();
  const organisationId = await openWebhookOwner(store);
  const [one, two] = [webhookDeps(store), webhookDeps(openTestStore(t, url).store)];
  const first = await Promise.all(
    many(20).map((_, i) => registerWebhook(i % 2 ? one : two, webhookOf(organisationId), meta)),
  );
  await t.rejects(registerWebhook(one, webhookOf(organisationId), meta), {
    code: 'INVALID_REQUEST',
  });
  const outcomes = await Promise.allSettled(
    first.flatMap(({ webhookId }, i) => [
      removeWebhook(i % 2 ? one : two, { organisationId, webhookId }, meta),
      removeWebhook(i % 2 ? two : one, { organisationId, webhookId }, meta),
      registerWebhook(i % 2 ? one : two, webhookOf(organisationId), meta),
    ]),
  );
  const deletions = outcomes.filter((_, index) => index % 3 < 2);
  t.equal(
    deletions.filter(({ status }) => status === 'fulfilled').length,
    20,
    'one deletion of each pair succeeds',
  );
  const { there, taken } = await counted(store, organisationId);
  t.equal(taken, there);
  t.equal(there, outcomes.filter(({ status }) => status === 'fulfilled').length - 20);
});

test('any order for an endpoint of another organisation is refused as not found', async (t) => {
  const { store } = await joinTestStore();
  const deps = webhookDeps(store);
  const [own, other] = [await openWebhookOwner(store), await openWebhookOwner(store)];
  const { webhookId } = await registerWebhook(deps, webhookOf(own), meta);
  const unknown = { organisationId: own, webhookId: deps.newId() as WebhookId };
  const messages = new Set<string>();
  for (const named of [{ organisationId: other, webhookId }, unknown]) {
    for (const order of [
      () => loadWebhook(store, named),
      () => changeWebhook(deps, named, { status: 'disabled' }, meta),
      () => rotateWebhookSecret(deps, named, 60, meta),
      () => removeWebhook(deps, named, meta),
    ]) {
      const error = await order().then(
        () => null,
        (refusal) => refusal,
      );
      t.match(error, { code: 'WEBHOOK_NOT_FOUND' });
      messages.add(error.message);
    }
  }
  t.equal(messages.size, 1, 'same answer as for an unknown endpoint');
  t.equal((await store.readStream(streams.webhook(webhookId))).length, 1);
});

test('refuses to register or change to a URL that deliveries must not reach', async (t) => {
  const { store } = await joinTestStore();
  const deps = webhookDeps(store);
  const organisationId = await openWebhookOwner(store);
  const { webhookId } = await registerWebhook(deps, webhookOf(organisationId), meta);
  const url = 'https://127.0.0.1/';
  const refusal = { code: 'INVALID_REQUEST', message: /^url: / };
  await t.rejects(registerWebhook(deps, { ...webhookOf(organisationId), url }, meta), refusal);
  const of = { organisationId, webhookId };
  await t.rejects(changeWebhook(deps, of, { url, description: 'new' }, meta), refusal);
  t.match((await loadWebhook(store, of)).state, { description: null });
  t.strictSame(await counted(store, organisationId), { there: 1, taken: 1 });
});

test('concurrently rotated secrets all sign, so every returned secret is valid', async (t) => {
  const { store, url } = await joinTestStore();
  const [one, two] = [webhookDeps(store), webhookDeps(openTestStore(t, url).store)];
  const organisationId = await openWebhookOwner(store);
  const { webhookId, secret } = await registerWebhook(one, webhookOf(organisationId), meta);
  const of = { organisationId, webhookId };
  const rotated = await Promise.all(
    [one, two, one, two].map((deps) => rotateWebhookSecret(deps, of, 3_600, meta)),
  );
  const { state } = await loadWebhook(store, of);
  t.strictSame(
    signingSecrets(state, new Date()).toSorted(),
    [secret, ...rotated.map((one) => one.secret)].toSorted(),
  );
});

test('an endpoint is disabled once by concurrent orders, and a deleted one stays deleted', async (t) => {
  const { store, url } = await joinTestStore();
  const organisationId = await openWebhookOwner(store);
  const deps = webhookDeps(store);
  const { webhookId } = await registerWebhook(deps, webhookOf(organisationId), meta);
  const stores = [store, openTestStore(t, url).store, store];
  await Promise.all(stores.map((one) => disableWebhook(one, { webhookId, reason: 'gone' }, meta)));
  const types = async () =>
    (await store.readStream(streams.webhook(webhookId))).map(({ type }) => type);
  t.strictSame(await types(), ['WebhookRegistered', 'WebhookDisabled']);
  const of = { organisationId, webhookId };
  await changeWebhook(deps, of, { status: 'active' }, meta);
  t.match((await loadWebhook(store, of)).state, { status: 'active' });
  await removeWebhook(deps, of, meta);
  await disableWebhook(store, { webhookId, reason: 'failing' }, meta);
  await disableWebhook(store, { webhookId: deps.newId() as WebhookId, reason: 'gone' }, meta);
  t.equal((await types()).at(-1), 'WebhookDeleted');
});
