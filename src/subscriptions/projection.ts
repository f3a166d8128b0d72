import type { Kysely, Transaction } from 'kysely';
import type { DomainEvent } from '../domain/events.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

/**
 * A read model folded from the log. Each time that it is built it gets tables of its own, called
 * `<table>_v<build>`; queries read the views `<table>`, which show those of the live build.
 */
export interface Projection {
  readonly name: string;
  /** Raised whenever the tables or what is written into them change. */
  readonly version: number;
  /** The types of event it folds; all others are passed over. */
  readonly types: readonly DomainEvent['type'][];
  /** True if single events may have megabytes: folding them would block the event loop. */
  readonly hasLargeEvents?: boolean;
  readonly tables: readonly string[];
  /**
   * Creates the tables, empty, each with a primary key. `named` gives the name of one in this build.
   * Indexes that are no constraint may be missing while a build is filled: what `project` looks up,
   * it finds by primary keys and UNIQUE constraints.
   */
  create(trx: Transaction<StoreTables>, named: Named): Promise<void>;
  /**
   * Folds events, in order, into the tables of this build; called in the checkpoint's transaction.
   * However the log is cut into calls, the rows must be the same.
   */
  project(
    trx: Transaction<StoreTables>,
    events: readonly StoredEvent[],
    named: Named,
  ): Promise<void>;
}

/** What folds the log into rows, under a checkpoint that is there: a projection, or a reactor. */
export interface LogFolder extends Pick<Projection, 'name' | 'version' | 'types' | 'project'> {
  /** Types of which `project` needs only the header; their data is not read. */
  readonly headersOf?: readonly DomainEvent['type'][];
}

/** The database as a projection's queries see it. */
export type ReadModels = Kysely<StoreTables>;

/** The name of a table in one build, typed as the table itself so that its columns are checked. */
export type Named = <Table extends string>(table: Table) => Table;

export function tableName(build: number): Named {
  return <Table extends string>(table: Table) => `${table}_v${build}` as Table;
}
