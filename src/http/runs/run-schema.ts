import { z } from 'zod';
import type { Decision } from '../../domain/run/decision.ts';
import { findDecisionsFault, maxDecisions } from '../../domain/run/decision.ts';
import { runModes } from '../../domain/run/report.ts';
import { findFreeFault, maxFreeBytes } from '../../domain/run/report-fault.ts';
import { documentData } from '../../views/document-schema.ts';
import { count, lowerHex, success, untrusted } from '../../views/output-fields.ts';
import { countedPageMeta } from '../../views/page-meta.ts';
import { proofStatus } from '../../views/proof-schema.ts';
import { runData } from '../../views/run-data.ts';
import { dateTime, runId, text, workspaceId } from '../fields.ts';
import { freeValue } from '../free-value.ts';

/** Any JSON, stored as it came: the contract shows no types of these fields. */
const anyJson = (more = '') =>
  freeValue<unknown>(findFreeFault, {
    description: `any JSON of at most ${maxFreeBytes / 1_024} kB${more}`,
  }).nullish();

const decisionSchema = {
  type: 'object',
  properties: {
    action: { description: '`protect` marks the run as one that protected something' },
    fileHash: { description: 'filter of GET /agent/decisions, if it is a string' },
    proofId: { description: 'filter of GET /agent/decisions, if it is a string' },
  },
  additionalProperties: true,
};

/** Report of an agent about a sweep. Null counts as absent. */
export const runReport = z
  .object({
    runId,
    workspace: workspaceId.nullish(),
    startedAt: dateTime.nullish(),
    finishedAt: dateTime.nullish(),
    mode: z.enum(runModes).nullish(),
    objective: text(4_000).nullish(),
    trigger: anyJson(),
    counts: anyJson(
      '; a positive number called `protected` or `uploaded`, on any level, says that the run protected ' +
        'something; so do such a number as text, `true`, and a list of names',
    ),
    coverage: anyJson(),
    connectorsReached: anyJson('; usually a list of names'),
    connectorsUnreachable: anyJson('; usually a list of names'),
    unreadableGroups: anyJson('; usually a list of names'),
    network: anyJson('; usually a name'),
    noOp: z
      .boolean()
      .nullish()
      .meta({ description: 'default: true while the run has protected nothing' }),
    anchor: z
      .boolean()
      .nullish()
      .meta({
        description:
          'true: the SHA-256 of the statement of the run (GET /agent/runs/{id}/statement) is proven in ' +
          'the workspace, which is then required; no part of the content of the run',
      }),
    decisions: freeValue<readonly Decision[]>(findDecisionsFault, {
      type: 'array',
      items: decisionSchema,
      description: `the first ${maxDecisions} decisions are stored; each has at most 64 kB as JSON`,
    }).nullish(),
  })
  .superRefine(({ runId: own, workspace, anchor, decisions }, context) => {
    if (anchor === true && typeof workspace !== 'string') {
      const message = 'is needed to anchor a run';
      context.addIssue({ code: 'custom', path: ['workspace'], message });
    }
    const wrong = (decisions ?? []).findIndex(
      (decision) => Object.hasOwn(decision, 'runId') && (decision.runId ?? own) !== own,
    );
    if (wrong < 0) return;
    const path = ['decisions', wrong, 'runId'];
    context.addIssue({ code: 'custom', path, message: 'must be the runId of the run' });
  })
  .meta({ id: 'AgentRunReport' });

export type RunReportBody = z.output<typeof runReport>;

/** A decision as the agent sent it. */
const decision = z
  .looseObject({})
  .meta({ ...decisionSchema, id: 'Decision', description: 'as the agent sent it; untrusted' });

const proof = proofStatus.optional().meta({
  description:
    'the proof of the statement of the run; absent if there is none. proofNonce is null.',
});

export const runResponse = z.object({
  success,
  alreadyRecorded: z.literal(true).optional(),
  data: runData.extend({ proof }).meta({ id: 'RecordedAgentRun' }),
});

/** Documents of one answer: their metadata and classifications can have 32 kB each. */
export const mostDocuments = 500;

export const wholeRunResponse = z.object({
  success,
  data: runData
    .extend({
      proof,
      decisions: z.array(decision),
      documents: z.array(documentData).meta({
        description: `documents whose classification names the run, newest first: at most ${mostDocuments}`,
      }),
      documentsTotal: count.meta({
        description: 'number of all documents whose classification names the run',
      }),
    })
    .meta({ id: 'WholeAgentRun' }),
});

/** The statement of a run; on the wire in canonical JSON. */
export const runStatementSchema = runData
  .omit({ id: true, noOp: true, decisionsTruncated: true })
  .extend({
    format: z.literal('proofmark/agent-run'),
    version: z.literal(1),
    noOp: z.boolean().nullable().meta({ description: 'as the agent sent it; null if left out' }),
    decisionsStored: count.meta({ description: 'the number of leaves of the tree' }),
    decisionsRootHash: lowerHex.meta({
      description: 'root of the tree (RFC 6962) over the stored decisions in canonical JSON',
    }),
  })
  .meta({ id: 'AgentRunStatement', description: 'All members are always present.' });

/** A decision with all that shows that it belongs to the statement of its run. */
export const decisionProofResponse = z.object({
  success,
  data: z
    .object({
      runId: untrusted,
      decisionIndex: count.meta({ description: 'the place of the decision in its run, from 0' }),
      decision,
      canonicalDecision: untrusted.meta({
        description: 'the decision in canonical JSON (RFC 8785): the content of the leaf',
      }),
      leafHash: lowerHex.meta({
        description: 'SHA-256 of a zero byte followed by canonicalDecision (RFC 6962)',
      }),
      treeSize: count.meta({ description: 'decisionsStored of the statement' }),
      rootHash: lowerHex.meta({ description: 'decisionsRootHash of the statement' }),
      hashes: z.array(lowerHex).meta({
        description: 'inclusion proof: hashes from the leaf to the root (RFC 6962, 2.1.1)',
      }),
      statement: untrusted.meta({
        description: 'the statement of the run in canonical JSON; it contains no decision',
      }),
      statementHash: lowerHex.meta({ description: 'SHA-256 of the statement in UTF-8' }),
      proof,
    })
    .meta({ id: 'DecisionProof' }),
});

export const runList = z.object({ success, data: z.array(runData), meta: countedPageMeta });

export const decisionList = z.object({
  success,
  data: z.array(decision.extend({ runId: z.string() }).meta({ id: 'DecisionOfRun' })),
  meta: countedPageMeta,
});
