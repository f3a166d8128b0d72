/**
 * A process that registers `count` endpoints of one organisation at once, beside others that do the
 * same: it says `ready` and begins when the advisory lock `startLock` is free. Prints how many were
 * registered, and what the others were refused with.
 */
import { registerWebhook } from '../../src/commands/register-webhook.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { startLock, webhookDeps, webhookMeta, webhookOf } from './webhooks.ts';

const [url = '', masterKey = '', organisation = '', count = '0'] = process.argv.slice(2);
const { pool, close } = openDatabase(url, { maxConnections: 4 });
const keyring = createKeyring(pool, Buffer.from(masterKey, 'base64'));
const store = createEventStore({ pool, keyring });
const order = webhookOf(organisation as OrganisationId);

console.log('ready');
await pool.query('SELECT pg_advisory_lock_shared($1)', [startLock]);

const outcomes = await Promise.allSettled(
  Array.from({ length: Number(count) }, () =>
    // Turns of their own: nothing but the versions of the stream keeps them apart.
    registerWebhook(webhookDeps(store), order, webhookMeta),
  ),
);
const registered = outcomes.filter(({ status }) => status === 'fulfilled').length;
const refusals = outcomes.flatMap((outcome) =>
  outcome.status === 'rejected' ? [outcome.reason.code ?? String(outcome.reason)] : [],
);
await close();
console.log(JSON.stringify({ registered, refusals }));
