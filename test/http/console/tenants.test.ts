import { test } from 'tap';
import type { ConsoleRoute } from '../../../src/http/console/console-route.ts';
import { consoleRoutes } from '../../../src/http/console/console-routes.ts';
import { signedIn } from '../../support/console-person.ts';
import { startHttpService } from '../../support/http-service.ts';

const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const routes: readonly ConsoleRoute[] = consoleRoutes;
const requestNumber = /report the problem:\s*<code>\w{26}<\/code>/;
const idOf = /\/console\/([^/]+)\/:\w+/;

test('ids of another organisation are answered like unknown ids on every console route', async (t) => {
  const service = await startHttpService(t, { services: { addressRequestsPerMinute: 100_000 } });
  const theirs = await service.openOrganisation();
  const owner = await signedIn(service, theirs.organisationId);
  await signedIn(service, theirs.organisationId, { email: 'second@example.org' });
  const mine = await service.openOrganisation();
  const stranger = await signedIn(service, mine.organisationId, { email: 'x@example.org' });
  const { body } = await service.call('GET', '/api-keys', { key: theirs.key });
  const ids: Readonly<Record<string, string>> = {
    keys: body.data[0].id,
    people: owner.personId,
    workspaces: (await service.call('GET', '/workspaces', { key: theirs.key })).body.data[0]._id,
  };
  const foreign = [...Object.values(ids), theirs.organisationId];
  const before = await service.store.lastPositionOf(theirs.organisationId);

  for (const { kind, path } of routes) {
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
      const asked = path.replace(/:\w+/, given);
      const fields = { role: 'member', name: 'N' };
      const answer = await (kind === 'view' ? whom.get(asked) : whom.post(asked, fields));
      const text = answer.text.replaceAll(given, 'ID').replace(requestNumber, '');
      return { status: answer.status, text };
    };
    const other = await ask(stranger, id);
    t.strictSame(other, await ask(stranger, unknown), `${kind} ${path}`);
    t.equal(other.status, 404, `${kind} ${path}`);
    if (kind === 'view') t.not((await ask(owner, id)).status, 404, `${path} has such an id`);
  }
  t.equal(await service.store.lastPositionOf(theirs.organisationId), before, 'nothing changed');
});
