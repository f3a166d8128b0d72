import { test } from 'tap';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { testDeps } from '../../support/event-store.ts';
import { joinHttpService, operator, startHttpService } from '../../support/http-service.ts';

test('an organisation sees its own workspaces as soon as they are created', async (t) => {
  const service = await joinHttpService();
  const { organisationId, workspaceId, key } = await service.openOrganisation();
  await service.openOrganisation();
  const expected = [{ _id: workspaceId as string, id: workspaceId as string, name: 'Archive' }];
  for (let i = 0; i < 10; i += 1) {
    const answer = await service.call('GET', '/workspaces', { key });
    t.strictSame([answer.status, answer.body], [200, { success: true, data: expected }]);
    const name = `<${i}> "ü"`;
    const deps = { ...testDeps, store: service.store };
    const id = await createWorkspace(deps, { organisationId, name }, operator);
    expected.push({ _id: id, id, name });
  }
});

test('while the projection is behind, the list is 503 with Retry-After', async (t) => {
  const service = await startHttpService(t);
  const { organisationId, key } = await service.openOrganisation();
  await service.call('GET', '/workspaces', { key });
  const {
    events: { db },
  } = service.services;
  await db
    .updateTable('checkpoints')
    .set({ position: 0 })
    .where('name', '=', 'workspaces')
    .execute();
  const blocker = db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('checkpoints')
      .selectAll()
      .where('name', '=', 'workspaces')
      .forUpdate()
      .execute();
    await trx
      .updateTable('checkpoints')
      .set({ position: 0 })
      .where('name', '=', 'workspaces')
      .execute();
    const deps = { ...testDeps, store: service.store };
    await createWorkspace(deps, { organisationId, name: 'new' }, operator);
    const answer = await service.call('GET', '/workspaces', { key });
    t.match(answer, { status: 503, body: { success: false, code: 'SERVICE_UNAVAILABLE' } });
    t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
  });
  await blocker;
});
