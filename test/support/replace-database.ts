import pg from 'pg';
import type { Test } from 'tap';

/** Replaces a database in use by another one, as a restore or a failover does. */
export interface ReplaceDatabase {
  /** Keeps a copy for `goBack`. */
  keep(): Promise<void>;
  /** Replaces the database by the kept copy. */
  goBack(): Promise<void>;
  /** Replaces the database by a copy of everything committed. */
  failOver(): Promise<void>;
}

/** Each action ends all connections to the database. */
export async function openReplaceDatabase(
  t: Pick<Test, 'teardown'>,
  databaseUrl: string,
): Promise<ReplaceDatabase> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const kept = `${name}_kept`;
  const connectionString = Object.assign(new URL(databaseUrl), { pathname: 'postgres' }).href;
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  t.teardown(async () => {
    await admin.query(`DROP DATABASE IF EXISTS "${kept}" WITH (FORCE)`);
    await admin.end();
  });
  const drop = () => admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  const copy = (from: string, to: string) =>
    admin.query(`CREATE DATABASE "${to}" TEMPLATE "${from}" STRATEGY file_copy`);
  /** A template accepts no connections while it is copied. */
  const copyInUse = async (to: string) => {
    const allow = (allowed: boolean) =>
      admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${allowed}`);
    await allow(false);
    await admin.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
    await copy(name, to);
    return allow;
  };
  return {
    async keep() {
      const allow = await copyInUse(kept);
      await allow(true);
    },
    async goBack() {
      await drop();
      await copy(kept, name);
    },
    async failOver() {
      await copyInUse(`${name}_promoted`);
      await drop();
      await admin.query(`ALTER DATABASE "${name}_promoted" RENAME TO "${name}"`);
    },
  };
}
