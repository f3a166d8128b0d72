import { test } from 'tap';
import type { OrganisationId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { maxRenamings, workspaceDecider } from '../../../src/domain/workspace/decider.ts';
import { fold, refusalOf } from '../../support/fold.ts';

const order = {
  workspaceId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as WorkspaceId,
  organisationId: '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId,
  name: 'Verträge 2026',
};

test('a workspace is created under its name, byte for byte', async (t) => {
  const events = workspaceDecider.create(order);
  t.strictSame(events, [{ type: 'WorkspaceCreated', data: order }]);
  t.strictSame(fold(workspaceDecider, events), {
    status: 'open',
    workspaceId: order.workspaceId,
    renamings: 0,
    organisationId: order.organisationId,
    name: 'Verträge 2026',
  });
});

test('a workspace needs a name that can be stored', async (t) => {
  for (const name of ['', 'x'.repeat(256), 'a\0', '\udfff']) {
    t.match(
      refusalOf(() => workspaceDecider.create({ ...order, name })),
      {
        code: 'INVALID_REQUEST',
        message: /^name: /,
      },
    );
  }
});

test('a workspace is renamed by its organisation, and not without end', async (t) => {
  const created = workspaceDecider.create(order);
  const state = fold(workspaceDecider, created);
  const events = workspaceDecider.rename(state, order.organisationId, 'Archive');
  const { workspaceId } = order;
  t.strictSame(events, [{ type: 'WorkspaceRenamed', data: { workspaceId, name: 'Archive' } }]);
  t.match(fold(workspaceDecider, events, state), { name: 'Archive', renamings: 1 });
  t.strictSame(workspaceDecider.rename(state, order.organisationId, order.name), []);
  const often = Array.from({ length: maxRenamings }, (_, n) => `name ${n}`).reduce(
    (now, name) =>
      fold(workspaceDecider, workspaceDecider.rename(now, order.organisationId, name), now),
    state,
  );
  const other = '01BX5ZZKBKACTAV9WEVGEMMVRX' as OrganisationId;
  for (const [from, by, name, code] of [
    [workspaceDecider.initial, order.organisationId, 'A', 'NOT_FOUND'],
    [state, other, 'A', 'NOT_FOUND'],
    [state, order.organisationId, '', 'INVALID_REQUEST'],
    [often, order.organisationId, 'A', 'INVALID_REQUEST'],
  ] as const) {
    t.match(
      refusalOf(() => workspaceDecider.rename(from, by, name)),
      { code },
    );
  }
});
