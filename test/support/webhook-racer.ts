/**
 * A process that registers `count` endpoints of one organisation at once, in competition with others. It
 * prints `ready`, and begins when the advisory lock `startLock` is free. Then it prints the number of
 * registered endpoints and the codes of the refusals.
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
    // Separate turns: only the versions of the stream keep these calls apart.
    registerWebhook(webhookDeps(store), order, webhookMeta),
  ),
);
const registered = outcomes.filter(({ status }) => status === 'fulfilled').length;
const refusals = outcomes.flatMap((outcome) =>
  outcome.status === 'rejected' ? [outcome.reason.code ?? String(outcome.reason)] : [],
);
await close();
console.log(JSON.stringify({ registered, refusals }));
