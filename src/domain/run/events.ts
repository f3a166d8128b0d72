import type { DefinitionsOf, EventOf } from '../event.ts';
import type { OrganisationId } from '../ulid.ts';
import { noOpOfCounts, reportsProtection } from './protection.ts';
import type { RunReport } from './report.ts';

/**
 * An agent's sweep, recorded permanently as reported: the one event of its stream. The first
 * `maxDecisions` decisions are kept; `decisionsReported` is the number sent, and
 * `reportsProtection` is about all of them. `reportHash` is the SHA-256 (hex) of the whole report,
 * as `reportHashOf` makes it. `mayHaveSentNoOp` marks a run of 0.1.0, which recorded the default of
 * `noOp` alike if the agent sent it and if the agent left it out.
 */
export type RunRecorded = EventOf<
  'RunRecorded',
  RunReport & {
    readonly organisationId: OrganisationId;
    readonly decisionsReported: number;
    readonly reportsProtection: boolean;
    readonly reportHash: string;
    readonly mayHaveSentNoOp?: true;
  }
>;

export type RunEvent = RunRecorded;

export const runEvents: DefinitionsOf<RunEvent> = {
  RunRecorded: {
    schema: 2,
    clear: ['organisationId', 'workspaceId', 'mode', 'decisionsReported'],
    upcasts: { 1: withoutDefaultNoOp },
    downcast: withDefaultNoOp,
  },
};

/** Says in schema 1 that a report had the default of `noOp` itself. */
interface NoOpSent {
  readonly noOpSent?: true;
}

/** Schema 1 has no null in `noOp`: an omitted one was recorded as its default then. */
function withoutDefaultNoOp({ noOpSent, ...data }: NoOpSent & Record<string, unknown>) {
  const report = data as unknown as RunReport & { readonly reportsProtection?: boolean };
  // After an erasure only the clear fields are left.
  if (report.decisions === undefined) return data;
  const isDefault = noOpSent !== true && report.noOp === noOpOfCounts(report.counts);
  return {
    ...data,
    noOp: isDefault ? null : report.noOp,
    reportsProtection: report.reportsProtection ?? reportsProtection(report),
    ...(isDefault && report.reportsProtection === undefined && { mayHaveSentNoOp: true }),
  };
}

/**
 * Processes of 0.1.0 read all runs, for the webhooks of all organisations. They pass over members that
 * they do not know.
 */
function withDefaultNoOp(data: RunRecorded['data']): object {
  const byDefault = noOpOfCounts(data.counts);
  const isSent: NoOpSent = data.noOp === byDefault ? { noOpSent: true } : {};
  return { ...data, noOp: data.noOp ?? byDefault, ...isSent };
}
