import { StoreUnavailable } from '../../../../src/event-store/connection-loss.ts';
import type { EventStore, StreamAppend } from '../../../../src/event-store/event-store.ts';
import type { DatabaseConnection } from './database-connection.ts';
import type { Step } from './faults.ts';
import type { ProcessEffects } from './process-effects.ts';

/** The database as seen by one process. */
export interface Database {
  readonly store: EventStore;
  /** `before`: no call reaches the database. `after`: only its answers are lost. */
  away: 'before' | 'after' | null;
}

/**
 * The event store of one process, where every call is a step of that process. With a connection,
 * the process notices a database that lost events.
 */
export function createFaultyEventStore(
  database: Database,
  effects: ProcessEffects,
  connection: DatabaseConnection | null = null,
): EventStore {
  const { store } = database;
  const perform = async <Result>(step: Step, effect: () => Promise<Result>) => {
    const run = connection === null ? effect : await connection.open(effect);
    return effects.perform(step, () => reach(database, run), unavailable);
  };
  const read = <Result>(effect: () => Promise<Result>) => perform('read of the log', effect);
  return {
    append: (entries, meta) => perform(stepOf(entries), () => store.append(entries, meta)),
    appendFirst: (entry, meta) => perform(stepOf([entry]), () => store.appendFirst(entry, meta)),
    readStream: (stream) => read(() => store.readStream(stream)),
    readStreams: (streams) => read(() => store.readStreams(streams)),
    readNewest: (stream, limit) => read(() => store.readNewest(stream, limit)),
    readLast: (stream) => read(() => store.readLast(stream)),
    versionOf: (stream) => read(() => store.versionOf(stream)),
    readLog: (after, limit, types) => read(() => store.readLog(after, limit, types)),
    readPage: (after, limit, types) => read(() => store.readPage(after, limit, types)),
    readHeaders: (after, limit) => read(() => store.readHeaders(after, limit)),
    // As in the program, the event at the head is read too.
    head: async () => (await read(async () => ({ position: await store.head() }))).position,
    lastPositionOf: (organisationId) => read(() => store.lastPositionOf(organisationId)),
    lastPositionAfter: (organisationId, after, types) =>
      read(() => store.lastPositionAfter(organisationId, after, types)),
    readHeadersOf: (organisationId, bounds) =>
      read(() => store.readHeadersOf(organisationId, bounds)),
    serviceIndex: (value) => read(() => store.serviceIndex(value)),
    bytesOfLast: (stream) => read(() => store.bytesOfLast(stream)),
    index: store.index,
    createKeys: store.createKeys,
  };
}

/** Calls the database; rejects with `StoreUnavailable` while it is away. */
export async function reach<Result>(
  database: Pick<Database, 'away'>,
  effect: () => Result | Promise<Result>,
): Promise<Result> {
  if (database.away === 'before') throw unavailable();
  const result = await effect();
  if (database.away === 'after') throw unavailable();
  return result;
}

export const unavailable = () => new StoreUnavailable();

function stepOf(entries: readonly StreamAppend[]): Step {
  const types = new Set(entries.flatMap(({ events }) => events.map(({ type }) => type)));
  const isRequest = ['ProofRequested', 'DocumentStored', 'CheckpointRequested'] as const;
  if (isRequest.some((type) => types.has(type))) return 'append of the request';
  if (types.has('LedgerJoined')) return 'append of the join';
  if (intents.some((type) => types.has(type))) return 'append of the intent';
  return outcomes.some((type) => types.has(type))
    ? 'append of the outcome'
    : 'append of the end of the wait';
}

/** Replacements come without `SequencesTaken`. */
const intents = [
  'SequencesTaken',
  'GapFillPrepared',
  'AnchorPrepared',
  'CheckpointPrepared',
] as const;
const outcomes = [
  'Anchored',
  'AnchorExpired',
  'GapFillSettled',
  'CheckpointAnchored',
  'CheckpointExpired',
  'CheckpointRefused',
] as const;
