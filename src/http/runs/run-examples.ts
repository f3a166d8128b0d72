import type { RunData } from '../../views/run-data.ts';
import { workspace } from '../proofs/proof-examples.ts';

export const decisions = [
  { subject: 'a.pdf', action: 'protect', confidence: 0.97 },
  { subject: 'b.tmp', action: 'skip', reason: 'temporary file' },
];

const shared = {
  runId: 'nightly/2026-11-21',
  workspace,
  startedAt: '2026-11-21T01:00:00Z',
  finishedAt: '2026-11-21T01:04:10Z',
  mode: 'unattended',
  objective: 'contracts',
  trigger: 'schedule',
  counts: { seen: 2, protected: 1 },
  coverage: { folders: 1 },
  connectorsReached: ['files'],
} as const;

export const exampleReport = { ...shared, decisions };

export const run: RunData = {
  ...shared,
  id: shared.runId,
  connectorsReached: [...shared.connectorsReached],
  connectorsUnreachable: [],
  unreadableGroups: [],
  network: null,
  noOp: false,
  decisionsReported: 2,
  decisionsTruncated: false,
};
