import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'tap';
import { openLog } from '../../src/commands/open-log.ts';
import { currentOrigin } from '../../src/transparency-log/current-origin.ts';
import { createTestStore, openTestStore, testDeps } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { inEpoch } from '../support/publishing-site.ts';

const root = join(import.meta.dirname, '../..');
const meta = { actor: 'start' } as const;

/** Starts a process that opens the log and then appends. */
async function startInProcess(url: string, name: string): Promise<string> {
  const script = `
    import { openLog } from ${JSON.stringify(join(root, 'src/commands/open-log.ts'))};
    import { openTestStore, testDeps } from ${JSON.stringify(join(root, 'test/support/event-store.ts'))};
    import { markedEntry } from ${JSON.stringify(join(root, 'test/support/marked-event.ts'))};
    const closing = [];
    const { store } = openTestStore({ teardown: (close) => closing.push(close) }, process.argv[1]);
    const logId = await openLog({ ...testDeps, store }, {});
    await store.append([markedEntry(process.argv[2], 0, process.argv[2])], {});
    for (const close of closing) await close();
    console.log(logId);`;
  const args = ['--input-type=module', '-e', script, url, name];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  return output.trim();
}

test('one of several processes starting at once opens the log, as its first event', async (t) => {
  const { url, store } = await createTestStore(t);
  const others = Array.from({ length: 6 }, () => openTestStore(t, url));
  const logIds = await Promise.all([
    startInProcess(url, 'a'),
    startInProcess(url, 'b'),
    ...others.map((other) => openLog({ ...testDeps, store: other.store }, meta)),
  ]);
  t.equal(new Set(logIds).size, 1, 'all of them know the same log');
  const events = await store.readLog(0, 100);
  t.equal(events.length, 3);
  t.match(events[0], {
    position: 1,
    type: 'LogOpened',
    stream: `log-${logIds[0]}`,
    organisationId: null,
    data: { logId: logIds[0], leafVersion: 1, origin: `proofmark/${logIds[0]}` },
  });
  t.equal(await openLog({ ...testDeps, store }, meta), logIds[0], 'later starts find it');
  t.equal(await store.head(), 3);
});

test('the first event fixes the name of the log under the place that is configured then', async (t) => {
  const { store } = await createTestStore(t);
  const logId = await openLog({ ...testDeps, store, originPrefix: 'example.com/log' }, meta);
  await openLog({ ...testDeps, store, originPrefix: 'elsewhere.example/log' }, meta);
  t.equal(await currentOrigin(store), `example.com/log/${logId}`);
  t.equal(await currentOrigin(inEpoch(store, 2)), `example.com/log/${logId}/2`);
});

test('a log of an earlier release keeps its name', async (t) => {
  const { store, pool } = await createTestStore(t);
  const logId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  // A row as 0.1.0 wrote it: schema 1, without an origin.
  const [data, leaf] = [`{"logId":"${logId}","leafVersion":1}`, Buffer.alloc(32)];
  await pool.query(
    `INSERT INTO events VALUES (1, NULL, 'log-${logId}', 1, '01BX5ZZKBKACTAV9WEVGEMMVRZ',
      'LogOpened', 1, '2026-01-31T23:59:59.999Z', $1, '{}', $2)`,
    [data, leaf],
  );
  await pool.query('UPDATE log_head SET position = 1');
  t.equal(await openLog({ ...testDeps, store, originPrefix: 'example.com/log' }, meta), logId);
  t.equal(await currentOrigin(store), `proofmark/${logId}`);
});

test('the log is not opened if another append comes between check and opening', async (t) => {
  const { store } = await createTestStore(t);
  const late = {
    ...store,
    async head() {
      const head = await store.head();
      await store.append([markedEntry('early', 0, 'bird')], {});
      return head;
    },
  };
  await t.rejects(openLog({ ...testDeps, store: late }, meta), /begins with AccountRetired/);
  t.equal(await store.head(), 1);
});

test('the first append waits for a concurrent one and then reports that the log has begun', async (t) => {
  const { store, pool } = await createTestStore(t);
  const other = await pool.connect();
  await other.query('BEGIN');
  await other.query('SELECT position FROM log_head FOR UPDATE');
  let done = false;
  const first = store.appendFirst(markedEntry('s', 0, 'first'), {}).finally(() => {
    done = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.notOk(done);
  await other.query('UPDATE log_head SET position = 1');
  await other.query('COMMIT');
  other.release();
  t.equal(await first, null, 'the log had begun');
  await pool.query('UPDATE log_head SET position = 0');
  t.match(await store.appendFirst(markedEntry('s', 0, 'a', 'b'), {}), {
    firstPosition: 1,
    lastPosition: 2,
  });
  t.equal(await store.appendFirst(markedEntry('t', 0, 'c'), {}), null);
  t.equal(await store.head(), 2);
});
