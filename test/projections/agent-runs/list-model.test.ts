import fc from 'fast-check';
import { test } from 'tap';
import { ulid } from 'ulid';
import { agentRuns } from '../../../projections/agent-runs/project.ts';
import {
  type DecisionsQuery,
  queryDecisions,
} from '../../../projections/agent-runs/query-decisions.ts';
import { queryRuns, type RunsQuery } from '../../../projections/agent-runs/query-runs.ts';
import { canonicalInstant } from '../../../src/domain/date-time.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import { reportsProtection } from '../../../src/domain/run/protection.ts';
import { type RunReport, runModes } from '../../../src/domain/run/report.ts';
import type { RunId } from '../../../src/domain/run/run-id.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { catchUp } from '../../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import { createTestStore } from '../../support/event-store.ts';
import { runCount } from '../../support/run-count.ts';
import { runRecorded } from '../../support/runs.ts';
import { seededRandom } from '../../support/seed.ts';

const workspaceIds = [ulid(), ulid()] as WorkspaceId[];
const runIds = ['0', '1', '2', '3', 'absent'] as RunId[];
const objectives = ['o', 'O', '', '%', 'x'.repeat(500)];
const actions = ['protect', 'skip', '', 'e\u0301', '\u00e9', 'a'.repeat(5_000)];
const fileHashes = ['a', 'b'].map((digit) => digit.repeat(64)) as Digest[];
const proofIds = [ulid(), ulid()] as ProofId[];
/** Times close together: the same moment in two forms, and a nanosecond apart. */
const moments = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00+01:00',
  '2026-01-01T00:00:00.000000001Z',
  '2025-12-31T23:59:59.999999999Z',
  '2026-02-01T00:00:00Z',
];
const instants = moments.map((moment) => canonicalInstant(moment) ?? '');

const decision = fc.record(
  {
    subject: fc.constantFrom('s', ''),
    action: fc.constantFrom(...actions),
    fileHash: fc.constantFrom(...fileHashes),
    proofId: fc.constantFrom(...proofIds),
  },
  { requiredKeys: ['subject', 'action'], noNullPrototype: true },
);
const reportedRun = fc.record({
  workspaceId: fc.option(fc.constantFrom(...workspaceIds)),
  mode: fc.option(fc.constantFrom(...runModes)),
  objective: fc.option(fc.constantFrom(...objectives)),
  finishedAt: fc.option(fc.constantFrom(...moments)),
  counts: fc.constantFrom({}, { protected: 0 }, { protected: 2 }, { other: 1 }),
  decisions: fc.array(decision, { maxLength: 7 }),
});
const histories = fc.array(fc.record({ run: reportedRun, organisation: fc.nat({ max: 1 }) }), {
  ...{ minLength: 6, maxLength: 14 },
});
const filters = fc.record({
  workspaceId: fc.constantFrom(...workspaceIds),
  mode: fc.constantFrom(...runModes),
  objective: fc.constantFrom(...objectives),
  protectedOnly: fc.constant(true),
  from: fc.constantFrom(...instants),
  to: fc.constantFrom(...instants),
  runId: fc.constantFrom(...runIds),
  action: fc.constantFrom(...actions),
  fileHash: fc.constantFrom(...fileHashes),
  proofId: fc.constantFrom(...proofIds),
});
const names = [
  ...['workspaceId', 'mode', 'objective', 'protectedOnly', 'from', 'to'],
  ...['runId', 'action', 'fileHash', 'proofId'],
] as const;
const queries = fc.array(
  fc.record({
    page: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 })),
    limit: fc.integer({ min: 1, max: 6 }),
    filters,
    asked: fc.subarray([...names], { maxLength: 3 }),
  }),
  { minLength: 30, maxLength: 30 },
);

type Asked = Omit<RunsQuery & DecisionsQuery, 'organisationId'>;

function isWanted(run: RunReport, asked: Asked): boolean {
  const finishedAt = run.finishedAt && canonicalInstant(run.finishedAt);
  return (
    (asked.runId == null || run.runId === asked.runId) &&
    (asked.workspaceId == null || run.workspaceId === asked.workspaceId) &&
    (asked.mode == null || run.mode === asked.mode) &&
    (asked.objective == null || run.objective === asked.objective) &&
    (!asked.protectedOnly || reportsProtection(run)) &&
    (asked.from == null || (finishedAt !== null && finishedAt >= asked.from)) &&
    (asked.to == null || (finishedAt !== null && finishedAt < asked.to))
  );
}

function pageOf<Item>(items: readonly Item[], { page, limit }: Asked) {
  return { items: items.slice((page - 1) * limit, page * limit), total: items.length };
}

test('every page of every query equals the page of a list in memory', async (t) => {
  const { db, store } = await createTestStore(t);
  await prepareProjection(db, agentRuns);
  const property = fc.asyncProperty(histories, queries, async (history, asked) => {
    const organisations = [ulid(), ulid()] as OrganisationId[];
    for (const organisationId of organisations) await store.createKeys(organisationId);
    const runs = new Map<OrganisationId, RunReport[]>();
    for (const { run, organisation } of history) {
      const organisationId = organisations[organisation] as OrganisationId;
      const own = runs.get(organisationId) ?? [];
      const event = runRecorded(organisationId, `${own.length}`, run);
      runs.set(organisationId, [event.data, ...own]);
      const stream = streams.run(organisationId, `${own.length}`);
      await store.append([{ organisationId, stream, expectedVersion: 0, events: [event] }], {});
    }
    await catchUp({ db, store, projections: [agentRuns], position: await store.head() });
    for (const [n, { page, limit, ...one }] of asked.entries()) {
      const chosen = Object.fromEntries(one.asked.map((name) => [name, one.filters[name]]));
      const query: Asked = { page, limit, ...chosen };
      const organisationId = organisations[n % 2] as OrganisationId;
      const wanted = (runs.get(organisationId) ?? []).filter((run) => isWanted(run, query));
      const matches = wanted.flatMap(({ runId, decisions }) =>
        decisions
          .filter((each) =>
            (['action', 'fileHash', 'proofId'] as const).every(
              (field) => query[field] == null || each[field] === query[field],
            ),
          )
          .map((each) => ({ runId, decision: each })),
      );
      const found = await queryDecisions(db, { ...query, organisationId });
      t.strictSame(found, pageOf(matches, query));
      const listed = await queryRuns(db, { ...query, organisationId });
      const ids = { ...listed, items: listed.items.map(({ runId }) => runId) };
      const expected = wanted.map(({ runId }) => runId);
      t.strictSame(ids, pageOf(expected, query));
    }
    return t.passing();
  });
  const seed = Math.floor(seededRandom(t)() * 2 ** 31);
  await fc.assert(property, { seed, numRuns: runCount(8, 25), endOnFailure: true });
});
