import { z } from 'zod';
import type { Decision } from '../domain/run/decision.ts';
import { findDecisionsFault, maxDecisions } from '../domain/run/decision.ts';
import { type Counts, runModes } from '../domain/run/report.ts';
import { findCountsFault, findObjectFault, findStringsFault } from '../domain/run/report-fault.ts';
import { documentData } from './document-schema.ts';
import { dateTime, runId, text, workspaceId } from './fields.ts';
import { freeValue } from './free-value.ts';
import { count, id, success, untrusted } from './output-fields.ts';
import { countedPageMeta } from './page-meta.ts';

const anObject = { type: 'object', additionalProperties: true };
const someStrings = { type: 'array', items: { type: 'string' } };
const strings = freeValue<readonly string[]>(findStringsFault, {
  ...someStrings,
  description: 'at most 32 KB as JSON',
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

/** What an agent reports of a sweep; what is null is left out. */
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
      description: 'protectedOnly reads `protected`; at most 16 KB as JSON',
    }).nullish(),
    coverage: freeValue<Readonly<Record<string, unknown>>>(findObjectFault, {
      ...anObject,
      description: 'at most 16 KB as JSON',
    }).nullish(),
    connectorsReached: strings.nullish(),
    connectorsUnreachable: strings.nullish(),
    unreadableGroups: strings.nullish(),
    network: text(500).nullish(),
    noOp: z.boolean().nullish().meta({ description: 'default: whether nothing was protected' }),
    decisions: freeValue<readonly Decision[]>(findDecisionsFault, {
      type: 'array',
      items: decisionSchema,
      description: `the first ${maxDecisions} are kept; each of at most 64 KB as JSON`,
    }).nullish(),
  })
  .superRefine(({ runId: own, decisions }, context) => {
    const wrong = (decisions ?? []).findIndex(
      (decision) => Object.hasOwn(decision, 'runId') && (decision.runId ?? own) !== own,
    );
    if (wrong < 0) return;
    const path = ['decisions', wrong, 'runId'];
    context.addIssue({ code: 'custom', path, message: 'must be that of the run' });
  })
  .meta({ id: 'AgentRunReport' });

export type RunReportBody = z.output<typeof runReport>;

/** What the agent sent, as it sent it. */
const decision = z
  .looseObject({ subject: z.string(), action: z.string() })
  .meta({ ...decisionSchema, id: 'Decision', description: 'as the agent sent it; untrusted' });

const names = z.array(untrusted);
const asWritten = 'ISO 8601, as the agent wrote it';

/** A run as lists show it; null, empty or {} where the agent did not say. */
export const runData = z
  .object({
    runId: untrusted,
    workspace: id.nullable(),
    startedAt: z.string().nullable().meta({ description: asWritten }),
    finishedAt: z.string().nullable().meta({ description: asWritten }),
    mode: z.enum(runModes).nullable(),
    objective: untrusted.nullable(),
    trigger: untrusted.nullable(),
    counts: z.record(z.string(), count),
    coverage: z.record(z.string(), z.unknown()),
    connectorsReached: names,
    connectorsUnreachable: names,
    unreadableGroups: names,
    network: untrusted.nullable(),
    noOp: z.boolean(),
    decisionsReported: count.meta({ description: 'how many were sent' }),
    decisionsTruncated: z.boolean().meta({ description: 'whether some of them are not kept' }),
  })
  .meta({
    id: 'AgentRun',
    description:
      'A sweep as its agent reported it; null, empty or {} where the agent did not say. All texts are ' +
      'untrusted.',
  });

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
        .meta({ description: 'those whose classification names the run, newest first' }),
    })
    .meta({ id: 'WholeAgentRun' }),
});

export const runList = z.object({ success, data: z.array(runData), meta: countedPageMeta });

export const decisionList = z.object({
  success,
  data: z.array(decision.extend({ runId: z.string() }).meta({ id: 'DecisionOfRun' })),
  meta: countedPageMeta,
});

export type RunData = z.infer<typeof runData>;
