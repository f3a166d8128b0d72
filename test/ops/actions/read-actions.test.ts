import { test } from 'tap';
import { readActions, type WantedActions } from '../../../ops/actions/read-actions.ts';
import { eraseOrganisation } from '../../../ops/erasing/erase-organisation.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { createEventStore } from '../../../src/event-store/create-event-store.ts';
import {
  type AddressForm,
  type AddressRecorder,
  createAddressRecorder,
} from '../../../src/http/limits/recorded-address.ts';
import { signedIn } from '../../support/console-person.ts';
import { dumpDatabase, formsOf } from '../../support/dump-database.ts';
import { createErasureSite, operatorOfSite } from '../../support/erasure-site.ts';
import { testDeps } from '../../support/event-store.ts';
import { until } from '../../support/until.ts';

/** Address that a client claims, or that a trusted proxy names. */
const address = '203.0.113.97';

test('who did what is on record, in the configured form, until it is erased', async (t) => {
  let record: AddressRecorder = () => undefined;
  const site = await createErasureSite(t, {
    services: { calls: { recordedAddress: (req) => record(req) } },
  });
  const { service, beside, session } = site;
  const { organisationId, key } = await service.openOrganisation();
  const read = (wanted: Partial<WantedActions> = {}) =>
    readActions(beside, { organisationId, limit: 100, ...wanted });
  const issue = async (form: AddressForm, trusted: readonly string[]) => {
    record = createAddressRecorder(form, trusted);
    const json = { name: form, scopes: ['documents:read'] };
    const headers = { 'x-forwarded-for': `6.6.6.6, ${address}` };
    const answer = await service.call('POST', '/api-keys', { key, json, headers });
    t.equal(answer.status, 201);
    const [newest] = await read();
    t.match(newest, { action: 'KeyIssued', actor: 'api', keyId: /^\w{26}$/, operator: null });
    t.equal(newest?.subject, `key-${answer.body.data.id}`);
    t.equal(newest?.requestId, answer.headers.get('x-request-id'));
    return newest;
  };
  const proxy = ['127.0.0.1/32'];

  await t.test('each form of the address, behind a trusted proxy only', async (t) => {
    t.match(await issue('off', proxy), { client: null });
    t.match(await issue('full', []), { client: '127.0.0.1' }, 'spoofed');
    t.match(await issue('truncated', proxy), { client: '203.0.113.0/24' });
    t.match(await issue('hash', proxy), { client: /^hmac:[0-9a-f]{64}$/ });
    t.match(await issue('full', proxy), { client: address });
  });

  await t.test('the address of a person in the console', async (t) => {
    const { organisationId } = await service.openOrganisation();
    const person = await signedIn(service, organisationId);
    const once = await person.onceOn('/console/workspaces');
    const headers = { 'x-forwarded-for': address };
    const made = await person.post('/console/workspaces', { once, name: 'Contracts' }, headers);
    t.equal(made.status, 303);
    const [newest] = await read({ organisationId });
    t.match(newest, { action: 'WorkspaceCreated', client: address });
  });

  await t.test('actions can be found by address, author and time', async (t) => {
    const clients = async (wanted: Partial<WantedActions>) =>
      (await read(wanted)).map(({ client }) => client?.replace(/:.*/, ':…'));
    t.strictSame(await clients({ address }), [address, 'hmac:…', '203.0.113.0/24']);
    t.strictSame(await clients({ address: '203.0.113.98' }), ['203.0.113.0/24']);
    t.strictSame(await clients({ address: '6.6.6.6' }), []);
    const [{ keyId, at } = { keyId: null, at: '' }] = await read({ limit: 1 });
    t.equal((await read({ by: keyId ?? '' })).length, 5);
    t.ok((await read({ since: at })).every((action) => action.at >= at));
    t.strictSame(await read({ since: '2999-01-01T00:00:00.000Z' }), []);
    t.equal((await read({ by: 'Nobody' })).length, 0);
  });

  await t.test('an event of a process whose clock is behind hides no earlier action', async (t) => {
    const [newest] = await read({ limit: 1 });
    const { pool, keyring } = beside;
    const now = () => new Date(Date.now() - 120_000);
    const behind = createEventStore({ pool, keyring, now });
    const order = { organisationId, name: 'Behind' };
    await createWorkspace({ ...testDeps, store: behind }, order, { actor: 'operator' });
    t.strictSame(await read({ since: newest?.at ?? '' }), [newest]);
  });

  await t.test('bookkeeping and uploads are listed on demand only', async (t) => {
    const types = async (wanted: Partial<WantedActions>) =>
      new Set((await read(wanted)).map(({ action }) => action));
    const administrative = ['WorkspaceCreated', 'KeyIssued', 'OrganisationOpened'];
    t.strictSame([...(await types({}))], administrative);
    t.ok((await types({ all: true })).has('KeyPlaceTaken'));
  });

  await t.test('neither database nor logs show an address or a name', async (t) => {
    const places = { database: await dumpDatabase(beside.pool), logs: service.log.join('\n') };
    for (const text of [address, '203.0.113.0', operatorOfSite]) {
      for (const [place, content] of Object.entries(places)) {
        t.notOk(
          formsOf(text).some((form) => content.includes(form)),
          `${text} in the ${place}`,
        );
      }
    }
  });

  await t.test('after the erasure only its operator is named', async (t) => {
    await site.settle();
    await eraseOrganisation(session, site.storage, organisationId, () => {});
    // Other processes use a destroyed key for half a second at most.
    await until('nobody reads the names', async () => (await read())[1]?.erased === true);
    const [erasure, closing, ...others] = await read();
    t.match(erasure, { action: 'OrganisationErased', operator: operatorOfSite, erased: false });
    t.match(closing, { action: 'OrganisationClosed', operator: null, erased: true });
    t.ok(others.every(({ operator, client }) => operator === null && client === null));
    t.strictSame(await read({ address }), []);
    t.strictSame(await read({ by: operatorOfSite }), [erasure]);
    const everywhere = await readActions(beside, { by: operatorOfSite, limit: 10 });
    t.strictSame(everywhere, [erasure], 'without an organisation');
  });
});
