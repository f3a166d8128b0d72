import type { Step } from './step.ts';
import type { Kind } from './verdict.ts';

/** A report of everything that the page has checked, for programs and for people. */
export interface Report {
  format: 'proofmark/verification-report';
  version: 1;
  /** Time of the last check that changed a verdict: ISO 8601, UTC. */
  checkedAt: string;
  /** Address of the page. */
  page: string;
  /** The server that was asked; null without one. */
  ledgerServer: string | null;
  /** Statements of a shared proof's page, which nothing verifies; empty on other pages. */
  stated: Labelled[];
  /** Null for a single verdict. `limits`: what the verdicts leave open. */
  summary: { kind: string; label: string; title: string; lines: string[]; limits: string[] } | null;
  verdicts: Verdict[];
}

export interface Verdict {
  kind: Kind;
  code: string;
  label: string;
  title: string;
  explanation: string[];
  time: string | null;
  transactionHash: string | null;
  files: GivenFile[];
  certificate: GivenFile | null;
  steps: CheckedStep[];
  earlierRevisions: { transactionHash: string; outcome: string }[];
}

export interface GivenFile {
  name: string;
  folder: string;
  sizeBytes: number;
  sha256: string | null;
  notes: string[];
}

interface CheckedStep {
  name: Step['name'];
  status: Step['status'];
  title: string;
  outcome: string;
  values: (Labelled & { name: string })[];
  /** Statements of the certificate that nothing proves. */
  claims: Labelled[];
  claimsLabel: string | null;
}

interface Labelled {
  label: string;
  value: string;
}
