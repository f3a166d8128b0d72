import type { Kysely, Transaction } from 'kysely';
import type { DomainEvent } from '../domain/events.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

/**
 * A read model folded from the log. Each build has its own tables, called `<table>_v<build>`.
 * Queries read the views `<table>`, which show the tables of the live build.
 */
export interface Projection {
  readonly name: string;
  /** Raised whenever the tables or the rows written into them change. */
  readonly version: number;
  /** Types of event that it folds. Other events are skipped. */
  readonly types: readonly DomainEvent['type'][];
  /** Types of which single events may have megabytes: folding them would block the event loop. */
  readonly largeTypes?: readonly DomainEvent['type'][];
  readonly tables: readonly string[];
  /**
   * For types with much data: the fields that `project` needs, and that another thread hands over.
   * Events of these types may lack all other fields, and their `meta` may be `{}`.
   */
  readonly fields?: FieldsOf;
  /**
   * Creates the empty tables, each with a primary key. `named` returns a table's name in this
   * build. Indexes that belong to no constraint may be missing while a build is filled. `project`
   * looks rows up by primary keys and UNIQUE constraints.
   */
  create(trx: Transaction<StoreTables>, named: Named): Promise<void>;
  /**
   * Folds events, in order, into the tables of this build, in the checkpoint's transaction. The
   * rows must not depend on how the log is cut into calls.
   */
  project(
    trx: Transaction<StoreTables>,
    events: readonly StoredEvent[],
    named: Named,
  ): Promise<void>;
}

/** Names of data fields, by type of event. */
export type FieldsOf = {
  readonly [Type in DomainEvent['type']]?: readonly (keyof Extract<
    DomainEvent,
    { readonly type: Type }
  >['data'])[];
};

/** Folds the log into rows under an existing checkpoint: a projection, or a reactor. */
export interface LogFolder extends Pick<Projection, 'name' | 'version' | 'types' | 'project'> {
  /** Types of which `project` needs only the header. Their data is not read. */
  readonly headersOf?: readonly DomainEvent['type'][];
}

/** The database as a projection's queries see it. */
export type ReadModels = Kysely<StoreTables>;

/** Name of a table in one build, typed as the table itself so that its columns are checked. */
export type Named = <Table extends string>(table: Table) => Table;

export function tableName(build: number): Named {
  return <Table extends string>(table: Table) => `${table}_v${build}` as Table;
}
