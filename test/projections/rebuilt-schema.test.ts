import { test } from 'tap';
import { projections } from '../../projections/registry.ts';
import { tableName } from '../../src/subscriptions/projection.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { rebuildProjection } from '../../src/subscriptions/rebuild-projection.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { createTestStore, type TestStore } from '../support/event-store.ts';

test('a rebuilt projection has the indexes and constraints of a new one', async (t) => {
  const site = await createTestStore(t, { maxConnections: 32 });
  const { db, store, url } = site;
  const locks = openWorkLocks(url);
  t.teardown(() => locks.close());
  for (const projection of projections) await prepareProjection(db, projection);
  const rebuild = projections.map((projection) =>
    rebuildProjection({ db, store, locks, projection }),
  );
  t.match(
    await Promise.all(rebuild),
    projections.map(() => ({ outcome: 'swapped', build: 2 })),
    'all at the same time',
  );
  for (const { name, tables } of projections) {
    const fresh = await schemaOf(site, tables, 1);
    t.ok(fresh.length > 0);
    t.strictSame(await schemaOf(site, tables, 2), fresh, name);
  }
});

/** Columns, constraints, indexes and options of all tables of a build. */
async function schemaOf({ pool }: TestStore, tables: readonly string[], build: number) {
  const { rows } = await pool.query<{ line: string }>(
    `WITH own AS (SELECT oid, relname, reloptions FROM pg_class WHERE relname = ANY($1))
     SELECT relname || ' ' || pg_get_indexdef(indexrelid) || ' ' || indisvalid::text AS line
     FROM own JOIN pg_index ON indrelid = own.oid
     UNION ALL
     SELECT relname || ' ' || conname || ' ' || pg_get_constraintdef(c.oid)
     FROM own JOIN pg_constraint c ON conrelid = own.oid
     UNION ALL
     SELECT relname || ' ' || a.attname || ' ' || format_type(atttypid, atttypmod) || ' ' ||
       attnotnull::text || ' ' || attcollation::text || ' ' || coalesce(attstattarget, -1)::text
     FROM own JOIN pg_attribute a ON attrelid = own.oid WHERE attnum > 0
     UNION ALL
     SELECT relname || ' ' || coalesce(reloptions::text, '') FROM own
     ORDER BY 1`,
    [tables.map(tableName(build))],
  );
  return rows.map(({ line }) => line.replaceAll(`_v${build}`, '_v'));
}
