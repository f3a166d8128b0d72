import { test } from 'tap';
import { signedIn } from '../../support/console-person.ts';
import { startHttpService } from '../../support/http-service.ts';
import { run } from '../../support/run.ts';
import { createScriptedAnchoring } from '../../support/scripted-anchoring.ts';

/** Text of an element of a page. */
function textOf(page: string, id: string): string {
  const [, text = ''] = new RegExp(`<pre id="${id}"[^>]*>([^<]*)</pre>`).exec(page) ?? [];
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

test('the command beside a new key works in a shell, whatever the key may do', async (t) => {
  const service = await startHttpService(t);
  const { store, services } = service;
  (await createScriptedAnchoring(store, { signal: services.events.signal })).follow(t);
  const { organisationId } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  for (const [scope, answer] of [
    ['workspaces:read', '"name":"Archive"'],
    ['documents:read', '"data":[]'],
    ['documents:write', '"certPath":"'],
    ['api-keys:manage', '"data":[{'],
    ['webhooks:manage', '"data":[]'],
    ['links:manage', '"success":true'],
    ['certificates:read', '"success":true'],
  ] as const) {
    const once = await owner.onceOn('/console/keys/new');
    const { status, text } = await owner.post('/console/keys', { once, scopes: scope });
    t.equal(status, 201, scope);
    t.match(text, 'id="key" tabindex="0" role="region" aria-label="API key"');
    t.match(text, 'id="call" tabindex="0" role="region" aria-label="Command"');
    t.equal(text.split('id="state"').length, 2, 'one place says that a text was copied');
    const command = textOf(text, 'call');
    t.match(command, textOf(text, 'key'), scope);
    const { code, stdout, stderr } = await run(t, ['sh', '-c', command]).ended;
    t.equal(code, 0, stderr);
    t.match(stdout, answer, command);
  }
});
