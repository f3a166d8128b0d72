import { test } from 'tap';
import { changePlan } from '../../../src/commands/change-plan.ts';
import { switchApiAccess } from '../../../src/commands/switch-api-access.ts';
import type { WebhookId } from '../../../src/domain/ulid.ts';
import type { ConsoleRoute } from '../../../src/http/console/console-route.ts';
import { consoleRoutes } from '../../../src/http/console/console-routes.ts';
import { signedIn } from '../../support/console-person.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { operator } from '../../support/http-service.ts';
import { createScriptedDeliveries } from '../../support/scripted-deliveries.ts';

const routes: readonly ConsoleRoute[] = consoleRoutes;

test('without API access the console makes nothing new, and takes things away', async (t) => {
  const webhooks = createScriptedDeliveries();
  const site = await startDocumentService(t, { services: { webhooks } });
  const { service, organisationId, key } = site;
  const owner = await signedIn(service, organisationId);
  const { proofId } = (await site.upload()).body.data;
  const post = (path: string, json: object) => service.call('POST', path, { key, json });
  const document = `/console/documents/${proofId}`;
  t.equal((await owner.post(`${document}/certificate`)).status, 303);
  const link = (await post(`/proofs/${proofId}/links`, {})).body.data.id;
  const endpoint = { url: 'https://hooks.example/in', events: ['proof.completed'] };
  const { id } = (await post('/webhooks', endpoint)).body.data as { id: WebhookId };
  const delivery = webhooks.add(id, { status: 'failed' });
  const seen = async (path: string) =>
    /name="seen" value="(\d+)"/.exec((await owner.get(path)).text)?.[1] ?? '';
  const hook = `/console/webhooks/${id}`;
  const status = `${hook}/status`;

  const refuses = async () => {
    const forms: Readonly<Record<string, string>> = {
      '/console/documents/:id/certificate': `${document}/certificate`,
      '/console/documents/:id/links': `${document}/links`,
      '/console/webhooks': '/console/webhooks',
      '/console/webhooks/:id/change': `${hook}/change`,
      '/console/webhooks/:id/test': `${hook}/test`,
      '/console/webhooks/:id/deliveries/:deliveryId/retry': `${hook}/deliveries/${delivery.id}/retry`,
      '/console/webhooks/:id/retry-failed': `${hook}/retry-failed`,
    };
    t.strictSame(
      routes.filter((route) => 'needsApiAccess' in route).map(({ path }) => path),
      Object.keys(forms),
      'every such form is tested',
    );
    const before = await service.store.lastPositionOf(organisationId);
    for (const [path, address] of Object.entries(forms)) {
      const answer = await owner.post(address, { since: '2026-01-01T00:00' });
      t.equal(answer.status, 403, path);
      t.match(answer.text, /does not include API access/, path);
    }
    t.equal((await owner.post(status, { status: 'active' })).status, 403, 'enabling');
    t.equal(await service.store.lastPositionOf(organisationId), before, 'nothing changed');
    t.strictSame(webhooks.tested, [], 'nothing was sent');
    for (const page of ['/console/webhooks', hook, document, '/console/prove', '/console/keys']) {
      t.match((await owner.get(page)).text, /does not include API access/, page);
    }
  };

  t.notMatch((await owner.get(hook)).text, 'API access');
  await switchApiAccess(service.store, organisationId, false, operator);
  await refuses();
  await switchApiAccess(service.store, organisationId, true, operator);
  await changePlan(service.store, organisationId, 'free', operator);
  await refuses();
  for (const part of ['certificate', 'bundle']) {
    t.equal((await owner.get(`${document}/${part}?number=1`)).status, 200, part);
  }
  t.equal((await owner.post(`${document}/links/${link}/withdraw`)).status, 303);
  t.equal((await owner.post(status, { status: 'disabled' })).status, 303);
  const rotation = { seen: await seen(`${hook}/rotate`), overlap: '0' };
  t.equal((await owner.post(`${hook}/rotate`, rotation)).status, 200);
  t.equal((await owner.post(`${hook}/delete`)).status, 303);
});
