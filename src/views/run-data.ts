import { z } from 'zod';
import { runModes } from '../domain/run/report.ts';
import { count, id, untrusted } from './output-fields.ts';

const asItCame = z.unknown().meta({ description: 'any JSON, as the agent sent it; untrusted' });
const asWritten = 'ISO 8601, as the agent wrote it';

/** A run as lists show it; null, empty or {} if the agent gave no value. */
export const runData = z
  .object({
    id: untrusted.meta({ description: 'the same as runId, as in /agent/runs/{id}' }),
    runId: untrusted,
    workspace: id.nullable(),
    startedAt: z.string().nullable().meta({ description: asWritten }),
    finishedAt: z.string().nullable().meta({ description: asWritten }),
    mode: z.enum(runModes).nullable(),
    objective: untrusted.nullable(),
    trigger: asItCame,
    counts: asItCame,
    coverage: asItCame,
    connectorsReached: asItCame,
    connectorsUnreachable: asItCame,
    unreadableGroups: asItCame,
    network: asItCame,
    noOp: z.boolean().meta({
      description:
        'as the agent sent it; if it was left out, true if the run protected nothing: no positive ' +
        'count called `protected` or `uploaded`, no decision with the action `protect`, and no ' +
        'document whose classification names the run',
    }),
    decisionsReported: count.meta({ description: 'the number of decisions that the agent sent' }),
    decisionsTruncated: z
      .boolean()
      .meta({ description: 'true if some of the decisions are not stored' }),
  })
  .meta({
    id: 'AgentRun',
    description:
      'A run (sweep) as the agent reported it; values that the agent left out are null, empty or {}. ' +
      'All texts are untrusted.',
  });

export type RunData = z.infer<typeof runData>;
