import { test } from 'tap';
import { type RunRecorded, runEvents } from '../../../src/domain/run/events.ts';
import { meansSameNoOp } from '../../../src/domain/run/protection.ts';

type RunData = RunRecorded['data'];

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
    [{}, { noOp: null, reportsProtection: false, mayHaveSentNoOp: true }],
    [{ noOp: false }, { noOp: false, reportsProtection: false }],
    [
      { counts: { protected: 1 }, noOp: false },
      { noOp: null, reportsProtection: true, mayHaveSentNoOp: true },
    ],
    [{ counts: { protected: 1 } }, { noOp: true, reportsProtection: true }],
    [{ counts: { uploaded: 1 } }, { noOp: null, reportsProtection: true, mayHaveSentNoOp: true }],
    [{ decisions: protect }, { noOp: null, reportsProtection: true, mayHaveSentNoOp: true }],
  ];
  for (const [was, is] of rows) {
    const old = { ...recorded, ...was };
    t.strictSame(upcast?.(old), { ...old, ...is }, JSON.stringify(was));
  }
});

test('a run of 0.1.0 can be posted again with the default of 0.1.0, sent or omitted', async (t) => {
  const decisions = [{ subject: 'a', action: 'protect' }];
  const { counts } = recorded;
  const upcast = runEvents.RunRecorded.upcasts?.[1];
  const run = upcast?.({ ...recorded, decisions }) as unknown as RunData;
  for (const noOp of [null, true, false])
    t.ok(meansSameNoOp({ counts, noOp }, run, true), `${noOp}`);
  const { mayHaveSentNoOp: _, ...later } = run;
  t.notOk(meansSameNoOp({ counts, noOp: true }, later, true), 'a later run left it out');
});

test('a run is stored in the form of the release before, and read as it was', async (t) => {
  const { downcast, upcasts } = runEvents.RunRecorded;
  for (const counts of [{}, { protected: 1 }]) {
    for (const noOp of [null, true, false]) {
      for (const reportsProtection of [true, false]) {
        const data = { ...recorded, counts, noOp, reportsProtection } as unknown as RunData;
        const older = downcast?.(data) as Record<string, unknown>;
        t.type(older.noOp, 'boolean', 'the release before has no null there');
        t.strictSame(upcasts?.[1]?.(older), data, JSON.stringify({ counts, noOp }));
      }
    }
  }
});

test('an erased run of schema 1 has its clear fields alone', async (t) => {
  const { organisationId, workspaceId, mode, decisionsReported } = recorded;
  const clear = { organisationId, workspaceId, mode, decisionsReported };
  t.strictSame(runEvents.RunRecorded.upcasts?.[1]?.(clear), clear);
});
