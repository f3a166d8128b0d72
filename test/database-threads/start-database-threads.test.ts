import { type Test, test } from 'tap';
import { projections } from '../../projections/registry.ts';
import { startDatabaseThreads } from '../../src/database-threads/start-database-threads.ts';
import { DatabaseWentBack } from '../../src/event-store/database-went-back.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestStore, openTestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { inDatabase, lacking } from '../support/shorten-log.ts';

const never = 3_600_000;
const projection = 'documents';

/** Threads of a process that has appended events 1 to 3. */
async function startAtThree(t: Test) {
  const { url, db, masterKey } = await createTestStore(t);
  for (const each of projections) await prepareProjection(db, each);
  const findings: DatabaseWentBack[] = [];
  const onWentBack = (error: DatabaseWentBack) => findings.push(error);
  const process = openTestStore(t, url, { checkEveryMs: never, onWentBack });
  const { store, highWater } = process;
  await store.append([markedEntry('s', 0, 'kept', 'lost', 'lost too')], {});
  const masterKeys = { present: masterKey };
  const threads = startDatabaseThreads({ url, masterKeys, highWater, callThreads: 1 });
  t.teardown(() => threads.close());
  return { url, highWater, findings, threads };
}

test('the process learns the log position seen by its threads', async (t) => {
  const { url, highWater, threads } = await startAtThree(t);
  await openTestStore(t, url).store.append([markedEntry('s', 3, 'by another process')], {});
  t.equal(highWater.position, 3);
  t.equal(await threads.fold(projection), 4);
  t.equal(highWater.position, 4);
});

test('a thread refuses a database that lacks events seen by the process', async (t) => {
  const { url, findings, threads } = await startAtThree(t);
  await inDatabase(url, lacking(1));
  await t.rejects(threads.fold(projection), /it lacks event 3, which this process has seen/);
  t.match(findings, [/it lacks event 3, which this process has seen; the log ends at event 1\. /]);
  t.ok(findings[0] instanceof DatabaseWentBack);
});
