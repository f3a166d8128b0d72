import { type RawBuilder, sql, type Transaction } from 'kysely';
import { CopiedRows, isCopiedType } from '../../src/event-store/copied-rows.ts';
import type { StoreTables } from '../../src/event-store/database.ts';

/** PostgreSQL type of each column of the rows. */
export type ColumnTypes<Row> = { readonly [Column in keyof Row & string]: string };

/** Fewer rows are inserted faster by one statement: COPY takes two round trips. */
const fewestCopied = 50;

/** Inserts rows into a table: many by COPY. */
export async function insertRows<Row extends object>(
  trx: Transaction<StoreTables>,
  table: string,
  rows: readonly Row[],
  types: ColumnTypes<Row>,
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(types) as (keyof Row & string)[];
  const copied = Object.values<string>(types).filter(isCopiedType);
  if (rows.length < fewestCopied || copied.length < columns.length) {
    const set = rowSet(rows, types);
    await sql`
      INSERT INTO ${sql.table(table)} (${set.columns})
      SELECT ${set.values} FROM ${set.from}`.execute(trx);
    return;
  }
  const sent = new CopiedRows();
  for (const row of rows) {
    sent.add(
      copied,
      columns.map((column) => row[column] as never),
    );
  }
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`COPY ${sql.table(table)} (${names}) FROM STDIN (FORMAT binary) -- ${sent}`.execute(trx);
}

/**
 * Rows as a table `new` for a FROM clause, with one array parameter per column. So any number of
 * rows is one statement of the same form. An array within a row is passed as its literal.
 */
export function rowSet<Row extends object>(
  rows: readonly Row[],
  types: ColumnTypes<Row>,
): {
  readonly from: RawBuilder<unknown>;
  readonly columns: RawBuilder<unknown>;
  readonly values: RawBuilder<unknown>;
} {
  const entries = Object.entries(types) as [keyof Row & string, string][];
  const arrays = entries.map(([column, type]) => {
    const values = rows.map((row) => parameter(row[column]));
    return sql`${values}::${sql.raw(isArray(type) ? 'text' : type)}[]`;
  });
  const names = entries.map(([column]) => sql.ref(column));
  const values = entries.map(([column, type]) => {
    const value = sql.ref(`new.${column}`);
    return isArray(type) ? sql`${value}::${sql.raw(type)}` : value;
  });
  return {
    from: sql`unnest(${sql.join(arrays)}) AS new(${sql.join(names)})`,
    columns: sql.join(names),
    values: sql.join(values),
  };
}

function isArray(type: string): boolean {
  return type.endsWith('[]');
}

/** Writes an array as a literal: the driver would make an array of arrays. */
function parameter(value: unknown): unknown {
  return Array.isArray(value) ? `{${value.join(',')}}` : value;
}
