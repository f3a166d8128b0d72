import { test } from 'tap';
import { runDecider } from '../../../src/domain/run/decider.ts';
import { maxDecisions } from '../../../src/domain/run/decision.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { fold, refusalOf } from '../../support/fold.ts';
import { report } from '../../support/runs.ts';

const organisationId = 'organisation' as OrganisationId;
const decisionsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ subject: `${n}`, action: 'skip' }));

test('a run is recorded as it was reported', async (t) => {
  const reported = report('r', { objective: 'o', decisions: decisionsOf(2) });
  t.strictSame(runDecider.record(runDecider.initial, organisationId, reported, 'hash'), [
    {
      type: 'RunRecorded',
      data: {
        ...{ ...reported, organisationId, decisionsReported: 2 },
        ...{ reportsProtection: false, reportHash: 'hash' },
      },
    },
  ]);
});

test('with too many decisions the first 5,000 are kept, and all are counted', async (t) => {
  for (const [count, kept] of [
    [maxDecisions, maxDecisions],
    [maxDecisions + 1, maxDecisions],
    [maxDecisions + 7, maxDecisions],
  ] as const) {
    const reported = report('r', { decisions: decisionsOf(count) });
    const [event] = runDecider.record(runDecider.initial, organisationId, reported, 'hash');
    t.equal(event?.data.decisionsReported, count);
    t.strictSame(event?.data.decisions, reported.decisions.slice(0, kept));
  }
});

test('recording the same run again changes nothing, other content is refused', async (t) => {
  const events = runDecider.record(runDecider.initial, organisationId, report('r'), 'hash');
  const state = fold(runDecider, events);
  t.strictSame(runDecider.record(state, organisationId, report('r'), 'hash'), []);
  const refused = refusalOf(() => runDecider.record(state, organisationId, report('r'), 'other'));
  t.match(refused, { code: 'RUN_CONFLICT', message: /^runId: / });
  t.throws(() => fold(runDecider, events, state), /on record/);
});
