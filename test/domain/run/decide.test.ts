import { test } from 'tap';
import { recordRun } from '../../../src/domain/run/decide.ts';
import { maxDecisions } from '../../../src/domain/run/decision.ts';
import { evolveRun, unknownRun } from '../../../src/domain/run/state.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { fold, refusalOf } from '../../support/fold.ts';
import { report } from '../../support/runs.ts';

const organisationId = 'organisation' as OrganisationId;
const decisionsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ subject: `${n}`, action: 'skip' }));

test('a run is recorded as it was reported', async (t) => {
  const told = report('r', { objective: 'o', decisions: decisionsOf(2) });
  t.strictSame(recordRun(unknownRun, organisationId, told, 'hash'), [
    {
      type: 'RunRecorded',
      data: { ...told, organisationId, decisionsReported: 2, reportHash: 'hash' },
    },
  ]);
});

test('of more decisions than are kept the first are, and all are counted', async (t) => {
  for (const [count, kept] of [
    [maxDecisions, maxDecisions],
    [maxDecisions + 1, maxDecisions],
    [maxDecisions + 7, maxDecisions],
  ] as const) {
    const told = report('r', { decisions: decisionsOf(count) });
    const [event] = recordRun(unknownRun, organisationId, told, 'hash');
    t.equal(event?.data.decisionsReported, count);
    t.strictSame(event?.data.decisions, told.decisions.slice(0, kept));
  }
});

test('the same again changes nothing, anything else is refused', async (t) => {
  const events = recordRun(unknownRun, organisationId, report('r'), 'hash');
  const state = fold(unknownRun, evolveRun, events);
  t.strictSame(recordRun(state, organisationId, report('r'), 'hash'), []);
  const refused = refusalOf(() => recordRun(state, organisationId, report('r'), 'other'));
  t.match(refused, { code: 'RUN_CONFLICT', message: /^runId: / });
  t.throws(() => fold(state, evolveRun, events), /on record/);
});
