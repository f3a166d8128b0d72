import { sql } from 'kysely';
import { test } from 'tap';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import { auditProjection } from '../../../../ops/audit/read-models/audit-projection.ts';
import { projections } from '../../../../projections/registry.ts';
import { storeDocument } from '../../../../src/commands/store-document.ts';
import { catchUp } from '../../../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../../../src/subscriptions/projector.ts';
import { createTestStore } from '../../../support/event-store.ts';
import { createUploadSite, uploadMeta } from '../../../support/uploads.ts';

test('differences between read models and log name row and column, and no table is left behind', async (t) => {
  const { store, db, pool, keyring } = await createTestStore(t);
  const site = await createUploadSite(store);
  for (let n = 0; n < 3; n += 1) await storeDocument(site.deps, site.order(), uploadMeta);
  for (const projection of projections) await prepareProjection(db, projection);
  await catchUp({ db, store, projections, position: await store.head() });
  const tables = async () =>
    (await pool.query('SELECT tablename FROM pg_tables ORDER BY 1')).rows.map(
      (row) => row.tablename,
    );
  const before = await tables();
  const faultsAfter = async (mutation: string) => {
    const findings = new Findings();
    for (const projection of projections) {
      const trx = await db.startTransaction().setIsolationLevel('repeatable read').execute();
      await sql.raw(mutation).execute(trx);
      await auditProjection(trx, { database: pool, keyring, projection, findings });
      await trx.rollback().execute();
    }
    return findings.report().faults.map(faultInWords).join('\n');
  };
  t.equal(await faultsAfter('SELECT'), '');
  const cases: readonly [string, RegExp][] = [
    [
      "UPDATE documents_v1 SET status = 'completed'",
      /\(status\): table documents, proof_id \w+: the row differs/,
    ],
    ['DELETE FROM document_details_v1', /document_details, proof_id \w+: the row is missing/],
    [
      "INSERT INTO document_blobs_v1 VALUES ('x')",
      /document_blobs, blob_key x: the row does not follow from the events$/m,
    ],
    ["UPDATE workspaces_v1 SET name = 'other'", /\(name\): table workspaces, /],
  ];
  for (const [mutation, expected] of cases)
    t.match(await faultsAfter(mutation), expected, mutation);
  t.strictSame(await tables(), before);
});
