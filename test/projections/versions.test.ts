import { createHash } from 'node:crypto';
import { test } from 'tap';
import { projections } from '../../projections/registry.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestDatabase } from '../support/database.ts';
import { openTestStore } from '../support/event-store.ts';

/**
 * Released projections: version, and digest of the columns and event types. After a change, raise
 * the projection's version and add the new line here. Processes of two releases run side by side,
 * and those of one version write the same tables.
 */
const released: Readonly<Record<string, string>> = {
  access: '5 3c843bcd2532',
  'agent-runs': '2 2fe8f7511540',
  anchors: '1 bda1bd015ac5',
  certificates: '1 87dd23de9a33',
  'checkpoint-anchors': '1 04f1d13f3dfc',
  documents: '3 afcc4d77d2a8',
  evidence: '2 c70e228bf731',
  links: '1 f94bf6be63dc',
  'proof-days': '1 2a5a346ab73b',
  'sign-ins': '2 65acd3b38e1f',
  storage: '1 742379ccef6d',
  timestamps: '2 51df214b682a',
  webhooks: '1 ff8ccb52146d',
  workspaces: '2 fb72bca73265',
};

test('a projection with changed tables or event types has a new version', async (t) => {
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
      const text = JSON.stringify([[...types].sort(), rows]);
      const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
      return [name, `${version} ${digest}`] as const;
    }),
  );
  t.strictSame(Object.fromEntries(now), released);
});
