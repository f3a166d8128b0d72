import type { DefinitionsOf, EventOf } from '../event.ts';
import type { OrganisationId } from '../ulid.ts';
import type { RunReport } from './report.ts';

/**
 * An agent's sweep is on record, for ever as it was reported: the one event of its stream. Of the
 * decisions the first `maxDecisions` are kept; `decisionsReported` is how many were sent.
 * `reportHash` is the SHA-256 (hex) of the whole report, as `reportHashOf` makes it.
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
