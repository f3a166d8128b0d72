import { test } from 'tap';
import { scopes } from '../../../src/domain/key/scope.ts';
import { drawCases } from '../../support/draw-cases.ts';
import { requestOf } from '../../support/hostile/request-of.ts';
import { createSender } from '../../support/hostile/send.ts';
import { createWorld, kindOf } from '../../support/hostile/world.ts';

test('every scope allows exactly its own routes', async (t) => {
  const world = await createWorld(t);
  const { service, mine, belongings } = world;
  const sender = createSender(service.port);
  t.teardown(() => sender.close());
  const keyed = world.operations.filter(({ scope }) => scope !== null);
  t.ok(keyed.length > 20);
  const keys = await Promise.all(
    scopes.map((scope) => service.issueKey(mine.organisationId, { scopes: [scope] })),
  );
  const keyOf = new Map(scopes.map((scope, index) => [scope as string, keys[index] ?? '']));
  for (const operation of keyed) {
    const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const kind = kindOf(operation, name);
      return [name, kind === null ? 'x' : belongings.mine[kind][0]];
    });
    // Without a body, so permitted requests are refused for their input and change nothing.
    const values = { path: Object.fromEntries(named), query: {}, header: {}, body: undefined };
    const name = `${operation.method} ${operation.path}`;
    t.ok(
      scopes.some((scope) => scope === operation.scope),
      `${name} needs a known scope`,
    );
    const bodiless = operation.body === null && operation.method !== 'GET';
    const isOwnScope = (scope: string) => scope === operation.scope;
    for (const scope of drawCases(t, scopes, (one) => String(isOwnScope(one)))) {
      const isOwn = isOwnScope(scope);
      if (isOwn && bodiless) continue;
      const key = keyOf.get(scope) ?? '';
      const { status, text } = await sender.send(requestOf(operation, values, key));
      const code = status >= 400 ? JSON.parse(text).code : null;
      if (isOwn) t.not(status, 403, `${name} with ${scope}`);
      else t.match([status, code], [403, 'SCOPE_NOT_PERMITTED'], `${name} with ${scope}`);
    }
    const keyless = await sender.send(requestOf(operation, values, null));
    t.equal(keyless.status, 401, `${name} without a key`);
  }
});
