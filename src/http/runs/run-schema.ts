import { z } from 'zod';
import type { Decision } from '../../domain/run/decision.ts';
import { findDecisionsFault, maxDecisions } from '../../domain/run/decision.ts';
import { runModes } from '../../domain/run/report.ts';
import { findFreeFault, maxFreeBytes } from '../../domain/run/report-fault.ts';
import { documentData } from '../../views/document-schema.ts';
import { success } from '../../views/output-fields.ts';
import { countedPageMeta } from '../../views/page-meta.ts';
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
  .looseObject({})
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
