import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';

/** A row that differs between the tables. */
export interface RowDifference {
  readonly table: string;
  /** Primary key, as text by column. */
  readonly key: Readonly<Record<string, string>>;
  readonly found: 'different' | 'only in the first' | 'only in the second';
  /** The differing columns of a row that is in both tables. */
  readonly columns: readonly string[];
  /** Values of these columns as text; all shared columns if one row is missing. Only on request. */
  readonly values?: { readonly first: Values | null; readonly second: Values | null };
}

type Values = Readonly<Record<string, string | null>>;

export interface TableDifferences {
  readonly table: string;
  /** Columns that only one of the tables has. They are not compared. */
  readonly columns: { readonly first: readonly string[]; readonly second: readonly string[] };
  /** Number of rows that differ. */
  readonly count: number;
  /** The first differing rows, in the order of the primary key. */
  readonly rows: readonly RowDifference[];
}

/**
 * Compares two tables row by row, in the snapshot of the transaction. Merges the rows in the order
 * of their primary key, which both tables must share. However large the tables, neither this
 * program nor the database keeps more than a few rows in memory. Returns at most `mostRows`
 * differences and counts all. Values may be confidential, and are returned only on request
 * (`showValues`).
 */
export async function compareTables(
  trx: Transaction<StoreTables>,
  tables: { readonly table: string; readonly first: string; readonly second: string },
  options: { readonly mostRows: number; readonly showValues?: boolean },
): Promise<TableDifferences> {
  const { table } = tables;
  const [first, second] = [await describe(trx, tables.first), await describe(trx, tables.second)];
  const { key } = first;
  if (key.length === 0 || String(key) !== String(second.key)) {
    throw new Error(`${tables.first} and ${tables.second} have no primary key in common`);
  }
  const shared = first.columns.filter((column) => second.columns.includes(column));
  const lacking = (has: readonly string[], lacks: readonly string[]) =>
    has.filter((column) => !lacks.includes(column));
  // PostgreSQL runs a full join as a merge or a hash join. This setting leaves the merge, which
  // needs no memory for a whole table.
  await sql`SET LOCAL enable_hashjoin TO off`.execute(trx);
  const column = (side: 'a' | 'b', name: string) => sql`${sql.ref(`${side}.${name}`)}`;
  const differs = (name: string) => sql`${column('a', name)} IS DISTINCT FROM ${column('b', name)}`;
  const differing = sql`
    FROM ${sql.table(tables.first)} AS a FULL JOIN ${sql.table(tables.second)} AS b
      ON ${and(key.map((name) => sql`${column('a', name)} = ${column('b', name)}`))}
    WHERE ${or(shared.map(differs))}`;
  const texts = (side: 'a' | 'b', names: readonly string[]) =>
    sql`ARRAY[${sql.join(names.map((name) => sql`${column(side, name)}::text`))}]`;
  const [own] = key;
  const { rows } = await sql<DifferingRow>`
    SELECT ${texts('a', key)} AS first_key, ${texts('b', key)} AS second_key,
      ${column('a', own ?? '')} IS NULL AS is_second, ${column('b', own ?? '')} IS NULL AS is_first,
      ARRAY[${sql.join(shared.map(differs))}] AS differs
      ${options.showValues ? sql`, ${texts('a', shared)} AS a, ${texts('b', shared)} AS b` : sql``}
    ${differing}
    ORDER BY ${sql.join(key.map((name) => sql`coalesce(${column('a', name)}, ${column('b', name)})`))}
    LIMIT ${options.mostRows}`.execute(trx);
  const counted =
    rows.length < options.mostRows
      ? rows.length
      : (await sql<{ count: number }>`SELECT count(*) ${differing}`.execute(trx)).rows[0]?.count;
  return {
    table,
    columns: {
      first: lacking(first.columns, second.columns),
      second: lacking(second.columns, first.columns),
    },
    count: counted ?? 0,
    rows: rows.map((row) => toDifference(row, { table, key, shared })),
  };
}

interface DifferingRow {
  readonly first_key: readonly string[];
  readonly second_key: readonly string[];
  readonly is_first: boolean;
  readonly is_second: boolean;
  readonly differs: readonly boolean[];
  readonly a?: readonly (string | null)[];
  readonly b?: readonly (string | null)[];
}

function toDifference(
  row: DifferingRow,
  names: {
    readonly table: string;
    readonly key: readonly string[];
    readonly shared: readonly string[];
  },
): RowDifference {
  const { table, key, shared } = names;
  const keyTexts = row.is_second ? row.second_key : row.first_key;
  const found = row.is_first ? 'only in the first' : row.is_second ? 'only in the second' : null;
  const columns = shared.filter((_, index) => row.differs[index]);
  const shown = found === null ? columns : shared;
  const values = (texts: readonly (string | null)[]) =>
    Object.fromEntries(shown.map((name) => [name, texts[shared.indexOf(name)] ?? null]));
  return {
    table,
    key: Object.fromEntries(key.map((name, index) => [name, keyTexts[index] ?? ''])),
    found: found ?? 'different',
    columns: found === null ? columns : [],
    ...(row.a && row.b
      ? {
          values: {
            first: row.is_second ? null : values(row.a),
            second: row.is_first ? null : values(row.b),
          },
        }
      : {}),
  };
}

interface Described {
  readonly columns: readonly string[];
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
}

async function describe(trx: Transaction<StoreTables>, table: string): Promise<Described> {
  const { rows } = await sql<{ name: string; ordinal: number | null }>`
    SELECT attname AS name, keyed.ordinal
    FROM pg_attribute
    LEFT JOIN LATERAL (
      SELECT array_position(indkey::int2[], attnum) AS ordinal FROM pg_index
      WHERE indrelid = attrelid AND indisprimary
        -- Columns that the index only includes come last.
        AND array_position(indkey::int2[], attnum) < indnkeyatts
    ) keyed ON true
    WHERE attrelid = to_regclass(quote_ident(${table})) AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum`.execute(trx);
  if (rows.length === 0) throw new Error(`there is no table ${table}`);
  const keyed = rows.flatMap((row) =>
    row.ordinal === null ? [] : [{ ...row, ordinal: row.ordinal }],
  );
  const ordered = keyed.toSorted((one, other) => one.ordinal - other.ordinal);
  return { columns: rows.map(({ name }) => name), key: ordered.map(({ name }) => name) };
}

function and(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `);
}

function or(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` OR `);
}
