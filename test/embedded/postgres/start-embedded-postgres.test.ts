import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { test } from 'tap';
import { bundledPostgres, type Distribution } from '../../../src/embedded/postgres/distribution.ts';
import { findEmbeddedPostgres } from '../../../src/embedded/postgres/find-embedded-postgres.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { initialisedDataDir } from '../../support/prepared-data-dir.ts';
import { until } from '../../support/until.ts';
import { isRunning, query, runService, startHere, temporaryDataDir } from '../run-service.ts';

test('keeps data, port and password over restarts', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const first = await startHere(t, dataDir);
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  t.notOk(isRunning(first.pid));
  const second = await startHere(t, dataDir);
  t.equal(second.url, first.url);
  t.match(second.url, /^postgres:\/\/proofmark:[\w-]{32}@127\.0\.0\.1:2\d{4}\/proofmark$/);
  t.strictSame(await query(second.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  await second.stop();
  await second.stop();
});

test('is durable, private, and uses UTF-8 in code point order', async (t) => {
  const dataDir = await temporaryDataDir(t);
  const { url } = await startHere(t, dataDir, { durable: true });
  const shown = await query(
    url,
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit',
      'full_page_writes', 'listen_addresses', 'unix_socket_directories', 'server_encoding',
      'data_checksums', 'log_min_error_statement', 'TimeZone')`,
  );
  t.strictSame(Object.fromEntries(shown.map(({ name, setting }) => [name, setting])), {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    server_encoding: 'UTF8',
    data_checksums: 'on',
    log_min_error_statement: 'panic',
    TimeZone: 'UTC',
  });
  const provider = `SELECT datlocprovider::text AS provider, datlocale AS locale
    FROM pg_database WHERE datname = 'proofmark'`;
  t.strictSame(await query(url, provider), [{ provider: 'b', locale: 'C.UTF-8' }]);
  t.equal((await stat(join(dataDir, 'postgres.json'))).mode & 0o777, 0o600);
  t.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
  t.equal((await stat(dataDir)).mode & 0o007, 0);
  const hba = await readFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8');
  const methods = hba.split('\n').filter((line) => /^\w/.test(line));
  t.ok(methods.length > 0 && methods.every((line) => line.endsWith('scram-sha-256')));
});

test('refuses a wrong password', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const { url } = await startHere(t, dataDir);
  await t.rejects(query(Object.assign(new URL(url), { password: 'x' }).href, 'SELECT'), {
    code: '28P01',
  });
});

test('a second process finds PostgreSQL only while it runs', async (t) => {
  const dataDir = await initialisedDataDir(t);
  t.equal(await findEmbeddedPostgres({ dataDir }), null);
  const { url, stop } = await startHere(t, dataDir);
  t.strictSame(await findEmbeddedPostgres({ dataDir }), { url });
  await stop();
  t.equal(await findEmbeddedPostgres({ dataDir }), null);
});

test('stops a PostgreSQL left by a killed service, and keeps the data', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const killed = runService(t, dataDir);
  const left = await killed.started;
  await query(left.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  killed.child.kill('SIGKILL');
  await killed.ended;
  t.ok(isRunning(left.pid), 'PostgreSQL still runs');
  t.strictSame(await findEmbeddedPostgres({ dataDir }), { url: left.url });
  const lines: string[] = [];
  const next = await startHere(t, dataDir, { log: (line) => lines.push(line) });
  t.match(lines[0], `pid ${left.pid}`);
  t.notOk(isRunning(left.pid));
  t.not(next.pid, left.pid);
  t.equal(next.url, left.url);
  t.strictSame(await query(next.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
});

test('starts again after PostgreSQL itself was killed during a query', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const first = await startHere(t, dataDir);
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const busy = new pg.Client({ connectionString: first.url });
  busy.on('error', () => {});
  await busy.connect();
  busy.query('SELECT pg_sleep(60)').catch(() => {});
  process.kill(first.pid, 'SIGKILL');
  while (isRunning(first.pid)) await sleep(10);
  await first.stop();
  const second = await startHere(t, dataDir);
  t.strictSame(await query(second.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
});

test('Ctrl-C to the whole process group does not stop PostgreSQL', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const service = runService(t, dataDir, { detached: true });
  const { url, pid } = await service.started;
  t.ok(service.child.pid);
  process.kill(-Number(service.child.pid), 'SIGINT');
  await sleep(500);
  t.ok(isRunning(pid));
  t.strictSame(await query(url, 'SELECT 1 AS works'), [{ works: 1 }]);
  service.child.kill('SIGTERM');
  t.strictSame(await service.ended, [0, null]);
  t.notOk(isRunning(pid), 'the service itself stops PostgreSQL');
});

test('moves to another port if its port is taken, and reports it', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const first = await startHere(t, dataDir);
  await first.stop();
  const intruder = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
  t.teardown(() => intruder.close());
  await once(intruder, 'listening');
  t.equal(await findEmbeddedPostgres({ dataDir }), null);
  const lines: string[] = [];
  const second = await startHere(t, dataDir, { log: (line) => lines.push(line) });
  t.not(second.url, first.url);
  t.match(lines[0], /^port \d+ of the embedded PostgreSQL is taken/);
  t.strictSame(await findEmbeddedPostgres({ dataDir }), { url: second.url });
});

test('stopping ends an active session', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const { url, stop } = await startHere(t, dataDir);
  const busy = new pg.Client({ connectionString: url });
  busy.on('error', () => {});
  await busy.connect();
  const refused = t.rejects(busy.query('SELECT pg_sleep(60)'), { code: '57P01' });
  await sleep(100);
  const startedAt = performance.now();
  await stop();
  t.ok(performance.now() - startedAt < (await onThisMachine(5_000)));
  await refused;
});

test('a start that is aborted rejects soon and leaves nothing running', async (t) => {
  const dataDir = await temporaryDataDir(t);
  const files = () => readdir(dataDir, { recursive: true }).catch(() => []);
  const has = (pattern: RegExp) => async () => (await files()).some((file) => pattern.test(file));
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const isReady = async () =>
    / ready$|^ready/m.test(await readFile(pidFile, 'utf8').catch(() => ''));
  // No session begins in time, so that the database is never made.
  const settings = { ...bundledPostgres.settings, post_auth_delay: '20' };
  const distribution = { ...bundledPostgres, settings };
  for (const [moment, isNow] of [
    ['at its beginning', async () => true],
    ['in initdb', has(/^postgres\.new-\w+\/data\/base/)],
    ['in the launch', has(/^postgres\/postmaster\.pid/)],
    ['while its database is made', isReady],
  ] as const) {
    const reason = new Error(`aborted ${moment}`);
    const abort = new AbortController();
    const options = { signal: abort.signal, durable: true, distribution };
    const rejected = t.rejects(startHere(t, dataDir, options), reason, moment);
    await until(moment, isNow);
    abort.abort(reason);
    await rejected;
    const left = (await files()).filter((file) => /postmaster\.pid$|\.new-/.test(file));
    t.strictSame(left, [], `${moment}: nothing runs or is left`);
  }
  await startHere(t, dataDir);
});

test('an aborted start ends an initdb whose present phase heeds no signal', async (t) => {
  const dataDir = await temporaryDataDir(t);
  const initdb = join(dataDir, 'initdb.sh');
  const lines = ['#!/bin/sh', 'trap "" TERM', 'mkdir "$(echo "$1" | cut -c 10-)"', 'sleep 60', ''];
  await mkdir(dataDir, { recursive: true });
  await writeFile(initdb, lines.join('\n'));
  // Whatever the umask: PostgreSQL's user runs it.
  for (const path of [dataDir, initdb]) await chmod(path, 0o755);
  const provideBinaries: Distribution['provideBinaries'] = async (...given) => {
    return { ...(await bundledPostgres.provideBinaries(...given)), initdb };
  };
  const abort = new AbortController();
  const distribution = { ...bundledPostgres, provideBinaries };
  const starting = startHere(t, dataDir, { signal: abort.signal, distribution });
  const rejected = t.rejects(starting, { name: 'AbortError' });
  const unfinished = async () => (await readdir(dataDir)).filter((name) => /\.new-/.test(name));
  await until('it runs', async () => {
    const [name = ''] = await unfinished();
    return (await readdir(join(dataDir, name)).catch((): string[] => [])).includes('data');
  });
  abort.abort();
  const startedAt = performance.now();
  // Its outputs are closed: the process that it waits for has ended too.
  await rejected;
  t.ok(performance.now() - startedAt < (await onThisMachine(30_000)));
  t.strictSame(await unfinished(), []);
});

test('a PostgreSQL that says that it starts is waited for', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const [script, recovered] = [join(dataDir, 'slow.sh'), join(dataDir, 'recovered')];
  const state = '"$$\\n$2\\n1\\n1\\n\\n127.0.0.1\\n0 0\\nstarting\\n"';
  const provideBinaries: Distribution['provideBinaries'] = async (...given) => {
    const binaries = await bundledPostgres.provideBinaries(...given);
    const lines = [
      ...['#!/bin/sh', `printf ${state} > "$2/postmaster.pid"`],
      ...[`until [ -e ${recovered} ]; do sleep 0.05; done`, `exec ${binaries.postgres} "$@"`, ''],
    ];
    await writeFile(script, lines.join('\n'));
    for (const path of [dataDir, script]) await chmod(path, 0o755);
    return { ...binaries, postgres: script };
  };
  const distribution = { ...bundledPostgres, provideBinaries };
  const said: string[] = [];
  const log = (line: string) => {
    said.push(line);
    if (/has been starting for/.test(line)) void writeFile(recovered, '');
  };
  const { url } = await startHere(t, dataDir, { distribution, log, startingMs: 300 });
  t.strictSame(await query(url, 'SELECT 1 AS works'), [{ works: 1 }]);
  t.match(said.join('\n'), /^PostgreSQL \(pid \d+\) has been starting for \d s: it recovers/m);
});

test('the log contains nothing supplied by callers', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const { url, stop } = await startHere(t, dataDir);
  await query(url, 'CREATE TABLE once (name text PRIMARY KEY)');
  const insert = "INSERT INTO once VALUES ('confidential')";
  await query(url, insert);
  await t.rejects(query(url, insert), { code: '23505' });
  await t.rejects(query(url, "SELECT 'confidential' FROM nothing"), { code: '42P01' });
  await stop();
  const folder = join(dataDir, 'postgres', 'log');
  const logs = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  t.match(logs.join(), 'duplicate key value violates unique constraint');
  t.notMatch(logs.join(), 'confidential');
});
