import type { DefinitionsOf, EventOf } from '../event.ts';
import type { OrganisationId } from '../ulid.ts';
import type { RunReport } from './report.ts';

/**
 * An agent's sweep, recorded permanently as reported: the one event of its stream. The first
 * `maxDecisions` decisions are kept; `decisionsReported` is the number sent. `reportHash` is the
 * SHA-256 (hex) of the whole report, as `reportHashOf` makes it.
 */
export type RunRecorded = EventOf<
  'RunRecorded',
  RunReport & {
    readonly organisationId: OrganisationId;
    readonly decisionsReported: number;
    readonly reportHash: string;
  }
>;

export type RunEvent = RunRecorded;

export const runEvents: DefinitionsOf<RunEvent> = {
  RunRecorded: {
    schema: 1,
    clear: ['organisationId', 'workspaceId', 'mode', 'decisionsReported'],
  },
};
