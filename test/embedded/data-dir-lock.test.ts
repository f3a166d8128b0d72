import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Test, test } from 'tap';
import { acquireDataDirLock, DataDirBusyError } from '../../src/embedded/data-dir-lock.ts';
import { firstLine } from '../support/first-line.ts';
import { runCount } from '../support/run-count.ts';

const lockModule = new URL('../../src/embedded/data-dir-lock.ts', import.meta.url).href;

/** Prints `held` or the reason for a refusal. A holder stays until it is killed. */
const holder = `
  import { acquireDataDirLock } from ${JSON.stringify(lockModule)};
  try {
    await acquireDataDirLock(process.argv[1]);
    console.log('held');
    setInterval(() => {}, 60_000);
  } catch (error) {
    console.log(error.message);
  }`;

function startHolder(t: Test, dataDir: string) {
  const child = spawn(
    process.execPath,
    ['--input-type=module-typescript', '--eval', holder, dataDir],
    { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.teardown(() => child.kill('SIGKILL'));
  return { child, said: firstLine(child.stdout), ended: once(child, 'exit') };
}

async function temporaryDir(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-lock-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'nested', 'data');
}

test("a second start in the same process is refused with the holder's pid", async (t) => {
  const dataDir = await temporaryDir(t);
  const lock = await acquireDataDirLock(dataDir);
  await t.rejects(acquireDataDirLock(dataDir), new DataDirBusyError(dataDir, process.pid));
  await lock.release();
  await lock.release();
  const again = await acquireDataDirLock(dataDir);
  await again.release();
});

test('a refused second start does not release the lock of the first', async (t) => {
  const dataDir = await temporaryDir(t);
  const lock = await acquireDataDirLock(dataDir);
  t.teardown(() => lock.release());
  await t.rejects(acquireDataDirLock(dataDir), { name: 'DataDirBusyError' });
  const other = startHolder(t, dataDir);
  t.match(await other.said, `in use by another process (pid ${process.pid})`);
  t.match(await other.said, dataDir);
});

test('a lock whose handle was garbage-collected is still held', async (t) => {
  const dataDir = await temporaryDir(t);
  await acquireDataDirLock(dataDir);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.match(await startHolder(t, dataDir).said, 'in use');
});

test('a killed holder does not block the next start', async (t) => {
  const dataDir = await temporaryDir(t);
  const first = startHolder(t, dataDir);
  t.equal(await first.said, 'held');
  await t.rejects(acquireDataDirLock(dataDir), new DataDirBusyError(dataDir, first.child.pid));
  first.child.kill('SIGKILL');
  await first.ended;
  const lock = await acquireDataDirLock(dataDir);
  await lock.release();
});

test('the pid of a dead holder, now of another process, does not block', async (t) => {
  const dataDir = await temporaryDir(t);
  const lock = await acquireDataDirLock(dataDir);
  await lock.release();
  await writeFile(join(dataDir, 'lock.pid'), `${process.ppid}\n`);
  await t.resolves(acquireDataDirLock(dataDir));
});

test('exactly one of several concurrent starts succeeds', async (t) => {
  for (let round = runCount(1, 3); round > 0; round -= 1) {
    const dataDir = await temporaryDir(t);
    const starts = Array.from({ length: 4 }, () => startHolder(t, dataDir));
    const said = await Promise.all(starts.map((start) => start.said));
    t.equal(said.filter((line) => line === 'held').length, 1, said.join('\n'));
    t.equal(said.filter((line) => line.includes('in use')).length, 3);
    for (const { child } of starts) child.kill('SIGKILL');
  }
});

test('folder and files are accessible to the owner alone', async (t) => {
  const dataDir = await temporaryDir(t);
  const lock = await acquireDataDirLock(dataDir);
  t.teardown(() => lock.release());
  t.equal((await stat(dataDir)).mode & 0o777, 0o700);
  for (const name of ['lock.sqlite', 'lock.pid']) {
    t.equal((await stat(join(dataDir, name))).mode & 0o777, 0o600, name);
  }
});

test('a DATA_DIR that cannot be a folder is refused in one line', async (t) => {
  const dataDir = await temporaryDir(t);
  const lock = await acquireDataDirLock(dataDir);
  await lock.release();
  const file = join(dataDir, 'file');
  await writeFile(file, '');
  await t.rejects(acquireDataDirLock(file), { message: /^DATA_DIR .*\/file [^\n]+$/ });
});
