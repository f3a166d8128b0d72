import type { RunEvent } from '../../src/domain/run/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { Projection } from '../../src/subscriptions/projection.ts';
import { agentRunsTables, createAgentRunsTables } from './table.ts';
import { writeRuns } from './write.ts';

/** The sweeps of agents, and the decisions that they made in them. */
export const agentRuns: Projection = {
  name: 'agent-runs',
  version: 1,
  types: ['RunRecorded'] satisfies RunEvent['type'][],
  tables: agentRunsTables,
  create: createAgentRunsTables,
  async project(trx, events, named) {
    // Of an organisation whose keys are gone nothing is listed.
    const own = (events as readonly StoredEvent<RunEvent>[]).filter((event) => !event.erased);
    if (own.length > 0) await writeRuns(trx, own, named);
  },
};
