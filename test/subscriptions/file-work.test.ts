import pg from 'pg';
import { test } from 'tap';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { createFileWork } from '../../src/subscriptions/file-work.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { newOrganisationId } from '../support/blobs.ts';
import { createTestStore } from '../support/event-store.ts';

test('no work on files starts while it is unknown which organisations are closed', async (t) => {
  const { url, pool } = await createTestStore(t);
  const locks = openWorkLocks(url);
  t.teardown(() => locks.close());
  const fileWork = createFileWork(pool, locks, 200);
  const organisationId = newOrganisationId();
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('BEGIN; LOCK TABLE closed_organisations IN ACCESS EXCLUSIVE MODE');
  let works = 0;
  const work = async () => {
    works += 1;
  };
  await t.rejects(fileWork.during(organisationId, work), StoreUnavailable);
  t.equal(works, 0);
  await holder.query('COMMIT');
  await fileWork.during(organisationId, work);
  t.equal(works, 1);
});
