import { resolve } from 'node:path';
import { test } from 'tap';
import { readConnection } from '../../src/embedded/postgres/connection-file.ts';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import type { DatabaseWentBack } from '../../src/event-store/database-went-back.ts';
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { query, startHere, temporaryDataDir } from '../embedded/run-service.ts';
import { takeBaseBackup } from '../support/base-backup.ts';
import { openTestStore } from '../support/event-store.ts';
import { markedEntry, marksInLog } from '../support/marked-event.ts';
import { until } from '../support/until.ts';

test('waits for a lagging standby, and continues after it caught up and was promoted', async (t) => {
  const dataDir = await temporaryDataDir(t);
  const primary = await startHere(t, dataDir);
  const { url } = primary;
  await migrateToLatest(url);
  const findings: DatabaseWentBack[] = [];
  const onWentBack = (error: DatabaseWentBack) => findings.push(error);
  const { store, highWater } = openTestStore(t, url, { checkEveryMs: 20, onWentBack });
  await store.append([markedEntry('s', 0, 'in the backup')], {});
  const { cluster = '' } = (await readConnection(dataDir)) ?? {};
  const backup = await takeBaseBackup(url, resolve(dataDir, cluster));
  await store.append([markedEntry('s', 1, 'after', 'the backup')], {});
  await primary.stop();

  const { catchUp } = await backup.restoreAsStandby();
  const standby = await startHere(t, dataDir);
  t.equal(standby.url, url);
  t.match(await query(url, 'SELECT position, pg_is_in_recovery() AS replays FROM log_head'), [
    { position: '1', replays: true },
  ]);
  await t.rejects(store.readPage(0, 10), StoreUnavailable);
  t.same(findings, [], 'the events may still arrive');

  await catchUp();
  await until('the standby has replayed everything', () => store.head().catch(() => null));
  t.equal(await store.head(), 3);
  const early = openTestStore(t, url, { retryMs: 100 }).store;
  await t.rejects(early.append([markedEntry('s', 3, 'early')], {}), StoreUnavailable);
  await query(url, 'SELECT pg_promote()');
  t.match(await store.append([markedEntry('s', 3, 'promoted')], {}), { firstPosition: 4 });
  t.equal((await marksInLog(store)).length, 4, 'no event is lost');
  t.equal(highWater.position, 4);
  t.same(findings, []);
});
