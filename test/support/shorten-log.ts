import pg from 'pg';

/** SQL that a superuser runs to shorten the log, as if an older dump were loaded. */
export function lacking(head: number): string {
  return `ALTER TABLE events DISABLE TRIGGER ALL; DELETE FROM events WHERE position > ${head};
    UPDATE log_head SET position = ${head}; ALTER TABLE events ENABLE TRIGGER ALL`;
}

/** SQL that ends all other connections, as a restart of the server does. */
export const cut = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

export async function inDatabase(url: string, ...statements: readonly string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await admin.end();
}
