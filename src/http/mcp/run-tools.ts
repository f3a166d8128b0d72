import { z } from 'zod';
import { postRun } from '../runs/post-run.ts';
import { defineTool } from './tool.ts';

const anyJson = z.unknown().optional();

/**
 * Checked by the route alone: zod would copy the decisions without members called `__proto__`, and a
 * run is recorded as the agent sent it.
 */
const decisions = z.unknown().meta({
  type: 'array',
  items: { type: 'object', additionalProperties: true },
});

export const recordRun = defineTool({
  name: 'record_run',
  title: "Record an agent's run",
  description:
    'Records a run with its decisions, permanently. With anchor and a workspace, its SHA-256 is proven, ' +
    'too. Repeating the call with the same content changes nothing. Needs the scope documents:write.',
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false },
  route: postRun,
  input: z.object({
    runId: z.string().min(1).max(128).describe('name of the run, chosen by the agent'),
    workspace: z.string().optional(),
    anchor: z.boolean().default(false),
    startedAt: z.string().optional(),
    finishedAt: z.string().optional(),
    mode: z.enum(['interactive', 'unattended']).optional(),
    objective: z.string().optional(),
    trigger: anyJson,
    counts: anyJson,
    coverage: anyJson,
    connectorsReached: anyJson,
    connectorsUnreachable: anyJson,
    unreadableGroups: anyJson,
    network: anyJson,
    noOp: z.boolean().optional(),
    decisions: decisions.optional(),
  }),
  output: z.object({
    runId: z.string(),
    alreadyRecorded: z.boolean(),
    decisionsReported: z.number(),
    decisionsTruncated: z.boolean(),
    proof: z
      .object({ proofId: z.string(), status: z.string(), fileHash: z.string() })
      .nullable()
      .describe('proof of the statement of the run; null if the run is not anchored'),
  }),
  toCall: (json) => ({ json }),
  toResult: ({ data, alreadyRecorded = false }) => {
    const { runId, decisionsReported, decisionsTruncated, proof } = data;
    return {
      ...{ runId, alreadyRecorded, decisionsReported, decisionsTruncated },
      proof: proof
        ? { proofId: proof.proofId, status: proof.blockchainStatus, fileHash: proof.fileHash }
        : null,
    };
  },
});
