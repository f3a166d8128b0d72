import type { DefinitionsOf, EventOf } from '../event.ts';
import type { OrganisationId } from '../ulid.ts';
import { noOpOfCounts, reportsProtection } from './protection.ts';
import type { RunReport } from './report.ts';

/**
 * An agent's sweep, recorded permanently as reported: the one event of its stream. The first
 * `maxDecisions` decisions are kept; `decisionsReported` is the number sent, and
 * `reportsProtection` is about all of them. `reportHash` is the SHA-256 (hex) of the whole report,
 * as `reportHashOf` makes it.
 */
export type RunRecorded = EventOf<
  'RunRecorded',
  RunReport & {
    readonly organisationId: OrganisationId;
    readonly decisionsReported: number;
    readonly reportsProtection: boolean;
    readonly reportHash: string;
  }
>;

export type RunEvent = RunRecorded;

export const runEvents: DefinitionsOf<RunEvent> = {
  RunRecorded: {
    schema: 2,
    clear: ['organisationId', 'workspaceId', 'mode', 'decisionsReported'],
    upcasts: { 1: withoutDefaultNoOp },
  },
};

/** Schema 1 has no null in `noOp`: an omitted one was recorded as its default then. */
function withoutDefaultNoOp(data: Readonly<Record<string, unknown>>) {
  const report = data as unknown as RunReport;
  return {
    ...data,
    noOp: report.noOp === noOpOfCounts(report.counts) ? null : report.noOp,
    reportsProtection: reportsProtection(report),
  };
}
