import { test } from 'tap';
import { webhooks } from '../../projections/webhooks/project.ts';
import { listWebhookIds } from '../../projections/webhooks/query.ts';
import { registerWebhook } from '../../src/commands/register-webhook.ts';
import { removeWebhook } from '../../src/commands/remove-webhook.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestStore, openTestStore } from '../support/event-store.ts';
import {
  webhookMeta as meta,
  openWebhookOwner,
  webhookDeps,
  webhookOf,
} from '../support/webhooks.ts';

const projections = [webhooks];

test('endpoints are listed per owner in order of registration, until they are deleted', async (t) => {
  const { db, store } = await createTestStore(t);
  const deps = webhookDeps(store);
  await prepareProjection(db, webhooks);
  const [one, two] = [await openWebhookOwner(store), await openWebhookOwner(store)];
  const register = async (organisationId: typeof one) =>
    (await registerWebhook(deps, webhookOf(organisationId), meta)).webhookId;
  const ids = [await register(one), await register(one), await register(one)] as const;
  const theirs = await register(two);
  await catchUp({ db, store, projections, position: await store.head() });
  t.strictSame(await listWebhookIds(db, one), ids);
  await removeWebhook(deps, { organisationId: one, webhookId: ids[1] }, meta);
  const last = await register(one);
  await catchUp({ db, store, projections, position: await store.head() });
  t.strictSame(await listWebhookIds(db, one), [ids[0], ids[2], last]);
  t.strictSame(await listWebhookIds(db, two), [theirs]);
});

test('endpoints of an organisation whose keys were destroyed fold to nothing', async (t) => {
  const written = await createTestStore(t);
  const deps = webhookDeps(written.store);
  const owners = [await openWebhookOwner(written.store), await openWebhookOwner(written.store)];
  for (const organisationId of owners) {
    const { webhookId } = await registerWebhook(deps, webhookOf(organisationId), meta);
    await registerWebhook(deps, webhookOf(organisationId), meta);
    await removeWebhook(deps, { organisationId, webhookId }, meta);
  }
  const [gone] = owners;
  await written.pool.query('DELETE FROM data_keys WHERE organisation_id = $1', [gone]);
  const { db, store } = openTestStore(t, written.url);
  await prepareProjection(db, webhooks);
  await catchUp({ db, store, projections, position: await store.head() });
  const counts = owners.map(async (owner) => (await listWebhookIds(db, owner)).length);
  t.strictSame(await Promise.all(counts), [0, 1]);
});
