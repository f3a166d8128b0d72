import { test } from 'tap';
import type { OrganisationId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { workspaceDecider } from '../../../src/domain/workspace/decider.ts';
import { evolveWorkspace, unknownWorkspace } from '../../../src/domain/workspace/state.ts';
import { fold, refusalOf } from '../../support/fold.ts';

const order = {
  workspaceId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as WorkspaceId,
  organisationId: '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId,
  name: 'Verträge 2026',
};

test('a workspace is created under its name, byte for byte', async (t) => {
  const events = workspaceDecider.create(order);
  t.strictSame(events, [{ type: 'WorkspaceCreated', data: order }]);
  t.strictSame(fold(unknownWorkspace, evolveWorkspace, events), {
    status: 'open',
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
