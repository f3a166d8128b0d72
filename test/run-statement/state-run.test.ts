import { createHash } from 'node:crypto';
import { test } from 'tap';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import { stateRun } from '../../src/run-statement/state-run.ts';
import { runRecorded } from '../support/runs.ts';

/** A recorded run whose statement is anchored somewhere: its bytes must never change. */
const { data } = runRecorded('01M7XT7V10RJ1CFD26ZBSKQXP6' as OrganisationId, 'nightly/1', {
  ...{ workspaceId: '01M7XT7TQ3W1Y1YB2MWHC1M0JS' as WorkspaceId, mode: 'unattended' },
  ...{ finishedAt: '2026-11-21T01:04:10Z', counts: { b: 2.5, a: [1, '€'] } },
  decisions: [{ subject: 'a.pdf', action: 'protect', confidence: 0.97 }, { action: '' }, {}],
});

test('the statement of a run recorded by version 0.2.0 keeps its bytes', async (t) => {
  const { bytes, digest } = stateRun(data);
  const text = new TextDecoder().decode(bytes);
  t.equal(createHash('sha256').update(text).digest('hex'), digest);
  t.equal(
    text,
    '{"connectorsReached":[],"connectorsUnreachable":[],"counts":{"a":[1,"€"],"b":2.5},"coverage":{},' +
      '"decisionsReported":3,"decisionsRootHash":"4798a7ae4dd9a9e7bf5028bacf1a2bc89427c0ad5792a43eef3a7b8f7e75f2ec","decisionsStored":3,' +
      '"finishedAt":"2026-11-21T01:04:10Z","format":"proofmark/agent-run","mode":"unattended",' +
      '"network":null,"noOp":null,"objective":null,"runId":"nightly/1","startedAt":null,"trigger":null,' +
      '"unreadableGroups":[],"version":1,"workspace":"01M7XT7TQ3W1Y1YB2MWHC1M0JS"}',
  );
});
