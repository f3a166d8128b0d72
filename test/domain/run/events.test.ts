import { test } from 'tap';
import { runEvents } from '../../../src/domain/run/events.ts';

/** A run as recorded in schema 1. */
const recorded = {
  ...{ runId: 'r', organisationId: '01M7XT7V10RJ1CFD26ZBSKQXP6', workspaceId: null },
  ...{ startedAt: null, finishedAt: null, mode: null, objective: null, trigger: null },
  ...{ counts: {}, coverage: {}, connectorsReached: [], connectorsUnreachable: [] },
  ...{ unreadableGroups: [], network: null, noOp: true, decisions: [] },
  ...{ decisionsReported: 0, reportHash: 'hash' },
};

test('a run of schema 1 keeps a noOp that was sent, and forgets a default', async (t) => {
  const upcast = runEvents.RunRecorded.upcasts?.[1];
  const protect = [{ subject: 'a', action: 'protect' }];
  const rows: [object, object][] = [
    [{}, { noOp: null, reportsProtection: false }],
    [{ noOp: false }, { noOp: false, reportsProtection: false }],
    [
      { counts: { protected: 1 }, noOp: false },
      { noOp: null, reportsProtection: true },
    ],
    [{ counts: { protected: 1 } }, { noOp: true, reportsProtection: true }],
    [{ counts: { uploaded: 1 } }, { noOp: null, reportsProtection: true }],
    [{ decisions: protect }, { noOp: null, reportsProtection: true }],
  ];
  for (const [was, is] of rows) {
    const old = { ...recorded, ...was };
    t.strictSame(upcast?.(old), { ...old, ...is }, JSON.stringify(was));
  }
});
