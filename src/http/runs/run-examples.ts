import type { RunData } from '../../views/run-data.ts';
import { pendingStatus, workspace } from '../proofs/proof-examples.ts';

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

const statementHash = '5f9fada92d50459235daef9d7004fbd9a47d308b39f19dbc8e11d8cedbc45a0a';
const rootHash = '4cc734844fd79a1cee048bce64e2bf42213b883a9cf7244cb7f642556dcc4849';

/** The statement of the example run. */
export const exampleStatement =
  '{"connectorsReached":["files"],"connectorsUnreachable":[],"counts":{"protected":1,"seen":2},' +
  `"coverage":{"folders":1},"decisionsReported":2,"decisionsRootHash":"${rootHash}",` +
  '"decisionsStored":2,"finishedAt":"2026-11-21T01:04:10Z","format":"proofmark/agent-run",' +
  '"mode":"unattended","network":null,"noOp":null,"objective":"contracts",' +
  '"runId":"nightly/2026-11-21","startedAt":"2026-11-21T01:00:00Z","trigger":"schedule",' +
  `"unreadableGroups":[],"version":1,"workspace":"${workspace}"}`;

const description = 'Statement of an agent run';

/** The proof of the statement, while it waits for its transaction. */
export const exampleRunProof = {
  ...pendingStatus,
  proofNonce: null,
  fileName: `${shared.runId}.json`,
  fileHash: statementHash,
  fileSize: exampleStatement.length,
  mimeType: 'application/json',
  description,
  metadata: { description },
};

export const exampleDecisionProof = {
  runId: shared.runId,
  decisionIndex: 0,
  decision: decisions[0],
  canonicalDecision: '{"action":"protect","confidence":0.97,"subject":"a.pdf"}',
  leafHash: 'b6d7ded598732f3edada474f4d784b43d35465e9c8125fa5a8ef472544ca74b4',
  treeSize: 2,
  rootHash,
  hashes: ['7effda205802e1171a9925ad95b1e73907f3e3effa117ae040ba4dc94bed1848'],
  statement: exampleStatement,
  statementHash,
  proof: exampleRunProof,
};
