import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from '@prometheus-io/client';
import tap, { type Test, test } from 'tap';
import { createCommitProbe } from '../../src/event-store/commit-probe.ts';
import { StoreSilent } from '../../src/event-store/connection-loss.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { appendMetrics } from '../../src/telemetry/append-metrics.ts';
import { query, startHere, temporaryDataDir } from '../embedded/run-service.ts';
import { createTestStore, openTestStore } from '../support/event-store.ts';
import { markedEntry, marksInLog } from '../support/marked-event.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { until } from '../support/until.ts';

/** The tests' own PostgreSQL, whose settings they change one after the other. */
const cluster = await startHere(tap, await temporaryDataDir(tap));
let databases = 0;

/** A database of its own, whose synchronous standby can be lost, and a store on it. */
async function startWithStandby(t: Test) {
  databases += 1;
  const name = `standby_${databases}`;
  await query(cluster.url, `CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(cluster.url), { pathname: name }).href;
  await migrateToLatest(url);
  const setStandby = async (names: string) => {
    await query(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await query(url, 'SELECT pg_reload_conf()');
    await until('the setting is in force', async () => {
      const [row] = await query(url, 'SHOW synchronous_standby_names');
      return row?.synchronous_standby_names === names;
    });
  };
  const sessions = async () => {
    const text = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    return (await query(url, text)).map(({ pid }) => Number(pid));
  };
  // The setting is visible before the server's checkpointer makes commits wait for it.
  const commitsWait = () =>
    until('commits wait', async () => {
      let isConfirmed = false;
      const commit = query(url, `SELECT pg_logical_emit_message(true, 'test', '')`).then(() => {
        isConfirmed = true;
      });
      const pids = await until('a commit ends or waits', async () => {
        const waiting = await sessions();
        return (waiting.length > 0 || isConfirmed) && waiting;
      });
      // A canceled commit stays in force, without the standby.
      for (const pid of pids) await query(url, `SELECT pg_cancel_backend(${pid})`);
      await commit;
      return pids.length > 0;
    });
  const opened = openTestStore(t, url);
  t.teardown(() => setStandby(''));
  return {
    ...opened,
    url,
    sessions,
    lose: async () => {
      await setStandby('lost');
      await commitsWait();
    },
    bringBack: () => setStandby(''),
  };
}

test('while a lost standby keeps commits waiting, every wait ends and the cause is named', async (t) => {
  const { pool, keyring, url, ...standby } = await startWithStandby(t);
  const registry = new Registry();
  const metrics = appendMetrics(registry);
  const store = createEventStore({ pool, keyring, answerMs: 2_000, onWriting: metrics.writing });
  const probe = createCommitProbe(pool, { keptMs: 10, waitMs: 1_000 });
  await store.append([markedEntry('a', 0, 'before')], {});
  await until('commits are confirmed', async () => (await probe()) === null);
  t.equal(metrics.oldestSeconds(), 0);

  await standby.lose();
  const append = async (n: number) => {
    await delay(n * 200);
    return store.append([markedEntry(`s${n}`, 0, `append ${n}`)], {});
  };
  const [begun, queued] = [append(0), append(1)] as const;
  const ended = performance.now();
  await t.rejects(begun, StoreSilent);
  await t.rejects(queued, StoreSilent);
  t.ok(performance.now() - ended < (await onThisMachine(20_000)));
  await until('the cause is named', async () => /standby/.test(String(await probe())));
  for (let n = 0; n < 4; n += 1) {
    t.match(await probe(), /commits wait for a synchronous standby/);
  }
  t.equal((await standby.sessions()).length, 2, 'one append and one probe wait');
  t.match(await registry.metrics(), /^proofmark_append_oldest_seconds [1-9]/m);
  t.equal((await marksInLog(store)).length, 1, 'nothing is visible that is not confirmed');

  await standby.bringBack();
  await until('commits are confirmed', async () => (await probe()) === null);
  await store.append([markedEntry('a', 1, 'after')], {});
  t.strictSame(
    (await marksInLog(store)).map(({ mark }) => mark),
    ['before', 'append 0', 'after'],
    'the append under way was written, and the queued one was not',
  );
  await until('no append is under way', async () => metrics.oldestSeconds() === 0);
});

test('an append whose answer was lost is confirmed only when a standby has it', async (t) => {
  const { store, url, ...standby } = await startWithStandby(t);
  await standby.lose();
  let isConfirmed = false;
  const appended = store.append([markedEntry('a', 0, 'x')], {}).then(() => {
    isConfirmed = true;
  });
  const [pid] = await until('the commit waits', async () => {
    const waiting = await standby.sessions();
    return waiting.length > 0 && waiting;
  });
  // As after a crash of the server: the commit is visible, and no standby has it.
  await query(url, `SELECT pg_terminate_backend(${pid})`);
  await until('the event is visible', async () => (await marksInLog(store)).length === 1);
  await until('the second attempt waits', async () => (await standby.sessions()).length > 0);
  t.notOk(isConfirmed);
  await standby.bringBack();
  await appended;
  t.equal((await marksInLog(store)).length, 1);
});

test('a probe of a read-only database says so', async (t) => {
  const { url, pool } = await createTestStore(t);
  const readOnly = openTestStore(t, `${url}?options=-c%20default_transaction_read_only%3Don`);
  t.equal(await createCommitProbe(pool)(), null);
  t.match(await createCommitProbe(readOnly.pool)(), /read-only/);
  const away = openTestStore(t, 'postgres://127.0.0.1:1/none');
  t.match(await createCommitProbe(away.pool)(), /not available/);
});
