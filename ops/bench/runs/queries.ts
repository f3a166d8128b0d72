import assert from 'node:assert/strict';
import { round } from '../harness/figures.ts';
import { progress } from '../harness/progress.ts';
import { createScheduledLatencies, scheduled } from '../harness/scheduling.ts';
import {
  commonHash,
  firstFinishedAt,
  msBetweenRuns,
  proofIdOf,
  type ReportedDecision,
  type ReportedRun,
  reportedRun,
} from '../samples/reported-runs.ts';

/** Target latency of 99 of 100 calls, in milliseconds. */
const targetP99Ms = 50;
const limit = 100;

/** Sends a GET over HTTP; returns its duration and the size of the list. */
export type Ask = (
  path: string,
) => Promise<{ readonly ms: number; readonly total: number; readonly items: number }>;

type Wanted = (run: ReportedRun, decision: ReportedDecision) => boolean;

interface Kind {
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly wanted: Wanted;
}

/**
 * `GET /agent/decisions` without a filter and with each filter, matching many, few, all and no
 * decisions; first, middle and last page in turn. Checks every total against a count of the
 * reported decisions.
 */
export async function measureDecisions(options: {
  readonly ask: Ask;
  readonly runs: number;
  readonly decisions: number;
  readonly workspaces: readonly string[];
  readonly queries: number;
  /** Processes whose processor time is measured. */
  readonly pids: readonly number[];
}): Promise<{ readonly filters: object; readonly met: boolean }> {
  const { ask, runs, decisions, workspaces, queries, pids } = options;
  const kinds = kindsOf(runs, decisions, workspaces);
  const totals = countAll(kinds, runs, decisions, workspaces);
  const measured = kinds.map((kind, n) => {
    return { kind, total: totals[n] ?? 0, latencies: createScheduledLatencies() };
  });
  for (let round = 0; round < queries; round += 1) {
    if (round % 50 === 0) progress(`Querying: round ${round} of ${queries}`);
    for (const { kind, total, latencies } of measured) {
      const last = Math.max(1, Math.ceil(total / limit));
      const page = [1, Math.ceil(last / 2), last][round % 3] ?? 1;
      const query = new URLSearchParams({ ...kind.query, page: `${page}`, limit: `${limit}` });
      const { result: found, scheduling } = await scheduled(pids, () =>
        ask(`/agent/decisions?${query}`),
      );
      assert.equal(found.total, total, `total of ${kind.name}`);
      const expected = Math.min(limit, Math.max(0, total - (page - 1) * limit));
      assert.equal(found.items, expected, `page ${page} of ${kind.name}`);
      latencies.record(found.ms, scheduling);
    }
  }
  const filters = Object.fromEntries(
    measured.map(({ kind, total, latencies }) => [
      kind.name,
      { total, ...latencies.judge(targetP99Ms) },
    ]),
  );
  const met = Object.values(filters).every((each) => each.met);
  return { filters, met };
}

function kindsOf(runs: number, decisions: number, workspaces: readonly string[]): Kind[] {
  const middle = reportedRun(Math.floor(runs / 2), decisions, workspaces);
  const [workspace = ''] = workspaces;
  const rareHash = middle.decisions.find(({ fileHash }) => fileHash !== commonHash)?.fileHash ?? '';
  const at = (share: number) =>
    new Date(firstFinishedAt + round(runs * share) * msBetweenRuns).toISOString();
  const proofId = proofIdOf(0);
  const kind = (name: string, query: Kind['query'], wanted: Wanted): Kind => {
    return { name, query, wanted };
  };
  const action = (value: string): Kind =>
    kind(`action ${value}`, { action: value }, (_, decision) => decision.action === value);
  return [
    kind('none', {}, () => true),
    kind('runId', { runId: middle.runId }, ({ runId }) => runId === middle.runId),
    kind('runId of no run', { runId: 'none' }, () => false),
    kind('workspace', { workspace }, (run) => run.workspace === workspace),
    kind('mode', { mode: 'unattended' }, ({ mode }) => mode === 'unattended'),
    kind('objective', { objective: middle.objective }, (run) => run.objective === middle.objective),
    kind('objective of no run', { objective: 'none' }, () => false),
    ...['protect', 'escalate', 'of no decision'].map(action),
    kind('fileHash of every second', { fileHash: commonHash }, (_, { fileHash }) => {
      return fileHash === commonHash;
    }),
    kind('fileHash of one', { fileHash: rareHash }, (_, { fileHash }) => fileHash === rareHash),
    kind('fileHash of none', { fileHash: '0'.repeat(64) }, () => false),
    kind('proofId', { proofId }, (_, decision) => decision.proofId === proofId),
    kind('from, everything', { from: at(0) }, () => true),
    kind('from, half', { from: at(0.5) }, ({ finishedAt }) => finishedAt >= at(0.5)),
    kind('to, everything', { to: at(1) }, () => true),
    kind('to, nothing', { to: at(0) }, () => false),
  ];
}

function countAll(
  kinds: readonly Kind[],
  runs: number,
  decisions: number,
  workspaces: readonly string[],
): readonly number[] {
  const totals = kinds.map(() => 0);
  for (let number = 0; number < runs; number += 1) {
    const run = reportedRun(number, decisions, workspaces);
    for (const [n, { wanted }] of kinds.entries()) {
      totals[n] = (totals[n] ?? 0) + run.decisions.filter((each) => wanted(run, each)).length;
    }
  }
  return totals;
}
