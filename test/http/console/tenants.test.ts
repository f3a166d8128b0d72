import { test } from 'tap';
import type { ConsoleRoute } from '../../../src/http/console/console-route.ts';
import { consoleRoutes } from '../../../src/http/console/console-routes.ts';
import { signedIn } from '../../support/console-person.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { callsOf } from '../../support/run-service.ts';
import { until } from '../../support/until.ts';

const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const routes: readonly ConsoleRoute[] = consoleRoutes;
const requestNumber = /report the problem:\s*<code>\w{26}<\/code>/;
/** Routes that need a test of their own: a stream, and calls that name things in their bodies. */
const testedElsewhere: readonly string[] = [
  '/console/live', // live.test.ts
  ...['hashes', 'file', 'certificate'].map((name) => `/console/prove/${name}`), // prove.test.ts
];
const idOf = /\/console\/([^/]+)\/:\w+/;

test('ids of another organisation are answered like unknown ids on every console route', async (t) => {
  const site = await startDocumentService(t, {
    services: { limits: { addressRequestsPerMinute: 100_000 } },
  });
  const { service } = site;
  const theirs = site;
  const owner = await signedIn(service, theirs.organisationId);
  await signedIn(service, theirs.organisationId, { email: 'second@example.org' });
  const mine = await service.openOrganisation();
  const stranger = await signedIn(service, mine.organisationId, { email: 'x@example.org' });
  const { key } = theirs;
  const { proofId } = (await site.upload()).body.data;
  // Both may take longer than an answer on a slow machine, and nothing may change after `before`.
  await until('the certificate is issued', async () => {
    const { status } = await owner.post(`/console/documents/${proofId}/certificate`);
    return status === 303;
  });
  await until('the delivery of the nonce is on record', async () => {
    return (await service.store.readLog(0, 10, ['NonceDelivered'])).length > 0;
  });
  const post = (path: string, json: object) => service.call('POST', path, { key, json });
  const link = (await post(`/proofs/${proofId}/links`, {})).body.data.id;
  const endpoint = { url: 'https://hooks.example/theirs', events: ['proof.completed'] };
  const run = 'their run';
  t.equal((await callsOf(service, key).post({ runId: run })).status, 201);
  const ids: Readonly<Record<string, string>> = {
    keys: (await service.call('GET', '/api-keys', { key })).body.data[0].id,
    people: owner.personId,
    workspaces: theirs.workspace,
    documents: proofId,
    webhooks: (await post('/webhooks', endpoint)).body.data.id,
  };
  /** Ids within something that the path names first. */
  const inner: Readonly<Record<string, string>> = { linkId: link, deliveryId: unknown };
  const foreign = [...Object.values(ids), theirs.organisationId, link, run, endpoint.url];
  const before = await service.store.lastPositionOf(theirs.organisationId);

  for (const { kind, path } of routes) {
    if (testedElsewhere.includes(path)) continue;
    if (kind === 'order') t.fail(`${path} needs a test of its own`);
    if (kind !== 'view' && kind !== 'form') continue;
    const [, things] = idOf.exec(path) ?? [];
    if (things === undefined) {
      if (kind !== 'view') continue;
      const { text } = await stranger.get(path);
      t.strictSame(
        foreign.filter((id) => text.includes(id)),
        [],
        path,
      );
      continue;
    }
    const id = ids[things];
    if (id === undefined) {
      t.fail(`${path} needs an id of ${things} in this test`);
      continue;
    }
    const ask = async (whom: typeof owner, given: string) => {
      const asked = path
        .replace(/:id/, given)
        .replace(/:(\w+)/g, (_, name: string) => inner[name] ?? name);
      const fields = { role: 'member', name: 'N', status: 'disabled', since: '2026-01-01T00:00' };
      const answer = await (kind === 'view' ? whom.get(asked) : whom.post(asked, fields));
      const text = answer.text.replaceAll(given, 'ID').replace(requestNumber, '');
      return { status: answer.status, text };
    };
    const other = await ask(stranger, id);
    t.strictSame(other, await ask(stranger, unknown), `${kind} ${path}`);
    t.equal(other.status, 404, `${kind} ${path}`);
    if (kind === 'view') t.not((await ask(owner, id)).status, 404, `${path} has such an id`);
  }
  const query = new URLSearchParams({ id: run });
  t.equal((await owner.get(`/console/runs/run?${query}`)).status, 200);
  t.equal((await stranger.get(`/console/runs/run?${query}`)).status, 404);
  for (const filter of [`search=${proofId}`, `workspace=${theirs.workspace}`]) {
    t.notMatch((await stranger.get(`/console/documents?${filter}`)).text, 'notes.txt', filter);
  }
  t.match((await stranger.get(`/console/runs/decisions?runId=${run}`)).text, 'No decision matches');
  t.equal(await service.store.lastPositionOf(theirs.organisationId), before, 'nothing changed');
});
