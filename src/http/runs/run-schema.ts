import { z } from 'zod';
import type { Decision } from '../../domain/run/decision.ts';
import { findDecisionsFault, maxDecisions } from '../../domain/run/decision.ts';
import { type Counts, runModes } from '../../domain/run/report.ts';
import {
  findCountsFault,
  findObjectFault,
  findStringsFault,
} from '../../domain/run/report-fault.ts';
import { documentData } from '../../views/document-schema.ts';
import { success } from '../../views/output-fields.ts';
import { countedPageMeta } from '../../views/page-meta.ts';
import { runData } from '../../views/run-data.ts';
import { dateTime, runId, text, workspaceId } from '../fields.ts';
import { freeValue } from '../free-value.ts';

const anObject = { type: 'object', additionalProperties: true };
const someStrings = { type: 'array', items: { type: 'string' } };
const strings = freeValue<readonly string[]>(findStringsFault, {
  ...someStrings,
  description: 'at most 32 kB as JSON',
});

const anId = { type: ['string', 'null'], pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' };
const decisionSchema = {
  type: 'object',
  required: ['subject', 'action'],
  properties: {
    subject: { type: 'string' },
    action: { type: 'string' },
    reason: { type: ['string', 'null'] },
    fileHash: { type: ['string', 'null'], pattern: '^[a-f0-9]{64}$' },
    proofId: anId,
    documentId: anId,
    confidence: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    at: { type: ['string', 'null'], format: 'date-time' },
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
    trigger: text(4_000).nullish(),
    counts: freeValue<Counts>(findCountsFault, {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 0 },
      description:
        'numbers of your choice; the filter protectedOnly reads `protected`; at most 16 kB as JSON',
    }).nullish(),
    coverage: freeValue<Readonly<Record<string, unknown>>>(findObjectFault, {
      ...anObject,
      description: 'at most 16 kB as JSON',
    }).nullish(),
    connectorsReached: strings.nullish(),
    connectorsUnreachable: strings.nullish(),
    unreadableGroups: strings.nullish(),
    network: text(500).nullish(),
    noOp: z
      .boolean()
      .nullish()
      .meta({ description: 'default: true if nothing was protected, else false' }),
    decisions: freeValue<readonly Decision[]>(findDecisionsFault, {
      type: 'array',
      items: decisionSchema,
      description: `the first ${maxDecisions} decisions are stored; each has at most 64 kB as JSON`,
    }).nullish(),
  })
  .superRefine(({ runId: own, decisions }, context) => {
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
  .looseObject({ subject: z.string(), action: z.string() })
  .meta({ ...decisionSchema, id: 'Decision', description: 'as the agent sent it; untrusted' });

export const runResponse = z.object({
  success,
  alreadyRecorded: z.literal(true).optional(),
  data: runData,
});

export const wholeRunResponse = z.object({
  success,
  data: runData
    .extend({
      decisions: z.array(decision),
      documents: z
        .array(documentData)
        .meta({ description: 'documents whose classification names the run, newest first' }),
    })
    .meta({ id: 'WholeAgentRun' }),
});

export const runList = z.object({ success, data: z.array(runData), meta: countedPageMeta });

export const decisionList = z.object({
  success,
  data: z.array(decision.extend({ runId: z.string() }).meta({ id: 'DecisionOfRun' })),
  meta: countedPageMeta,
});
