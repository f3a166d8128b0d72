import { createHash } from 'node:crypto';
import { test } from 'tap';
import { projections } from '../../projections/registry.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestDatabase } from '../support/database.ts';
import { openTestStore } from '../support/event-store.ts';

/**
 * What was released: the version of each projection, and a digest of its columns and of the types that
 * it folds. Where this differs, raise the projection's version and put the new line here: processes of
 * two releases work side by side, and those of one version write the same tables.
 */
const released: Readonly<Record<string, string>> = {
  access: '3 00f28d97c977',
  'agent-runs': '1 ad36262f8338',
  anchors: '1 bda1bd015ac5',
  certificates: '1 87dd23de9a33',
  documents: '1 39c9a5de20d7',
  webhooks: '1 ff8ccb52146d',
  workspaces: '1 b929428ff394',
};

test('no projection changes its tables, or what it folds, without its version', async (t) => {
  const { url } = await createTestDatabase(t);
  const { db, pool } = openTestStore(t, url);
  const now = await Promise.all(
    projections.map(async (projection) => {
      const { name, version, types, tables } = projection;
      await prepareProjection(db, projection);
      const { rows } = await pool.query(
        `SELECT table_name, column_name, data_type FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = ANY($1) ORDER BY 1, 2`,
        [tables],
      );
      t.ok(rows.length > 0, name);
      const told = JSON.stringify([[...types].sort(), rows]);
      const digest = createHash('sha256').update(told).digest('hex').slice(0, 12);
      return [name, `${version} ${digest}`] as const;
    }),
  );
  t.strictSame(Object.fromEntries(now), released);
});
