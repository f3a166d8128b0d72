import type pg from 'pg';

/**
 * Dumps all tables of a database as text, one line for each row. Bytes appear in hexadecimal and again
 * decoded as text.
 */
export async function dumpDatabase(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  if (tables.length === 0) throw new Error('the database has no tables');
  const lines: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
    lines.push(...rows.map(({ row }) => `${name}: ${row} ${hexAsText(row)}`));
  }
  return lines.join('\n');
}

function hexAsText(row: string): string {
  return [...row.matchAll(/\\x((?:[0-9a-f]{2})+)/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join(' ');
}

/** A text and its usual encodings, to search for it anywhere. */
export function formsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    bytes.toString('hex'),
    // Base64 depends on the offset of the text modulo 3: give the characters of the text alone for each.
    ...[0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(Math.ceil((shift * 4) / 3), Math.floor(((shift + bytes.length) * 4) / 3)),
    ),
  ];
}
