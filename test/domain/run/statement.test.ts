import { test } from 'tap';
import { runStatement } from '../../../src/domain/run/statement.ts';
import type { OrganisationId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { runRecorded } from '../../support/runs.ts';

const root = 'ab'.repeat(32);
const decisions = [{ subject: 'secret', action: 'skip' }];
const { data } = runRecorded('organisation' as OrganisationId, 'r', {
  ...{ workspaceId: 'workspace' as WorkspaceId, counts: { a: 1 }, noOp: false, decisions },
});

test('the statement of a run has exactly the documented members', async (t) => {
  t.strictSame(runStatement({ ...data, decisionsReported: 7 }, root), {
    ...{ format: 'proofmark/agent-run', version: 1, runId: 'r', workspace: 'workspace' },
    ...{ startedAt: null, finishedAt: null, mode: null, objective: null, trigger: null },
    ...{ counts: { a: 1 }, coverage: {}, connectorsReached: [], connectorsUnreachable: [] },
    ...{ unreadableGroups: [], network: null, noOp: false },
    ...{ decisionsReported: 7, decisionsStored: 1, decisionsRootHash: root },
  });
});

test('the statement names neither decisions, organisation, nor the hash of the report', async (t) => {
  const text = JSON.stringify(runStatement(data, root));
  for (const hidden of ['secret', 'organisation', 'reportHash']) t.notMatch(text, hidden);
});
