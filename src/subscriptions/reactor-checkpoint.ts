import type { Kysely } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';

/** Log position that a reactor has reached, and the state it needs to continue from there. */
export interface ReactorCheckpoint<State> {
  readonly position: number;
  readonly state: State;
}

/** Stores checkpoints of reactors. Both calls may be repeated. */
export interface ReactorCheckpoints {
  /** The saved checkpoint of a reactor, or null if it never saved one. */
  load<State>(name: string): Promise<ReactorCheckpoint<State> | null>;
  /** Saves a checkpoint. A checkpoint older than the saved one changes nothing. */
  save<State>(name: string, checkpoint: ReactorCheckpoint<State>): Promise<void>;
}

/** Checkpoints of reactors that several processes may start for the first time at once. */
export interface SharedCheckpoints extends ReactorCheckpoints {
  /**
   * Saves the first checkpoint of a reactor unless one is saved. Resolves with the saved one: that of
   * the process that was first, which has begun to follow the log there.
   */
  begin<State>(name: string, first: ReactorCheckpoint<State>): Promise<ReactorCheckpoint<State>>;
}

/** Checkpoints in the database. */
export function createReactorCheckpoints(db: Kysely<StoreTables>): SharedCheckpoints {
  return {
    load: (name) => loadCheckpoint(db, name),
    begin: (name, first) => beginCheckpoint(db, name, first),
    save: (name, checkpoint) => saveCheckpoint(db, name, checkpoint),
  };
}

const build = 1;

/** As `ReactorCheckpoints.load`, for callers that only read. */
export async function loadCheckpoint<State>(
  db: Kysely<StoreTables>,
  name: string,
): Promise<ReactorCheckpoint<State> | null> {
  const row = await db
    .selectFrom('checkpoints')
    .select(['position', 'state'])
    .where('name', '=', name)
    .where('build', '=', build)
    .executeTakeFirst();
  if (row === undefined || row.state === null) return null;
  return { position: row.position, state: JSON.parse(row.state) as State };
}

async function beginCheckpoint<State>(
  db: Kysely<StoreTables>,
  name: string,
  { position, state }: ReactorCheckpoint<State>,
): Promise<ReactorCheckpoint<State>> {
  const row = { position, state: JSON.stringify(state) };
  await db
    .insertInto('checkpoints')
    .values({ name, build, version: 1, status: 'live', ...row })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const saved = await loadCheckpoint<State>(db, name);
  if (saved === null) throw new Error(`the checkpoint ${name} has no state`);
  return saved;
}

async function saveCheckpoint<State>(
  db: Kysely<StoreTables>,
  name: string,
  checkpoint: ReactorCheckpoint<State>,
): Promise<void> {
  const { position } = checkpoint;
  const state = JSON.stringify(checkpoint.state);
  await db
    .insertInto('checkpoints')
    .values({ name, build, version: 1, position, status: 'live', state })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'build'])
        .doUpdateSet({ position, state })
        .where('checkpoints.position', '<=', position),
    )
    .execute();
}
