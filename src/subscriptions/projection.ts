import type { Kysely, Transaction } from 'kysely';
import type { DomainEvent } from '../domain/events.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

/**
 * A read model folded from the log. Its tables are called `<table>_v<version>`; queries read the
 * views `<table>`, which point at the live version.
 */
export interface Projection {
  readonly name: string;
  /** Raised whenever the tables or what is written into them change. */
  readonly version: number;
  /** The types of event it folds; all others are passed over. */
  readonly types: readonly DomainEvent['type'][];
  readonly tables: readonly string[];
  /** Creates the tables, empty. `named` gives the name of one in this version. */
  create(trx: Transaction<StoreTables>, named: Named): Promise<void>;
  /** Folds events, in order, into the tables of this version; called in the checkpoint's transaction. */
  project(
    trx: Transaction<StoreTables>,
    events: readonly StoredEvent[],
    named: Named,
  ): Promise<void>;
}

/** What folds the log into rows, under a checkpoint that is there: a projection, or a reactor. */
export type LogFolder = Pick<Projection, 'name' | 'version' | 'types' | 'project'>;

/** The database as a projection's queries see it. */
export type ReadModels = Kysely<StoreTables>;

/** The name of a table in one version, typed as the table itself so that its columns are checked. */
export type Named = <Table extends string>(table: Table) => Table;

export function tableName(projection: Pick<Projection, 'version'>): Named {
  return <Table extends string>(table: Table) => `${table}_v${projection.version}` as Table;
}
