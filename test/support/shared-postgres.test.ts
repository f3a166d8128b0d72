import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Test, test } from 'tap';
import { firstLine } from './first-line.ts';

const module = new URL('./shared-postgres.ts', import.meta.url).href;

/** Script of a test process: joins, prints the URL, and with `stay` runs until it is killed. */
const member = `
  import { joinSharedPostgres } from ${JSON.stringify(module)};
  console.log(await joinSharedPostgres());
  if (process.argv[1] === 'stay') setInterval(() => {}, 60_000);`;

/**
 * A separate folder for temporary files, so that these processes cannot find the PostgreSQL of this run.
 */
async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-shared-'));
  await chmod(folder, 0o755);
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function startMember(t: Test, folder: string, ...args: string[]) {
  const node = [process.execPath, '--input-type=module-typescript', '--eval', member, ...args];
  const child = spawn('/usr/bin/env', ['-i', `TMPDIR=${folder}`, ...node], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  return { child, url: firstLine(child.stdout), ended: once(child, 'exit') };
}

/** Stands in for tap's runner: starts one test process, prints its URL, and outlives it. */
function startRunner(t: Test, folder: string) {
  const script = `
    "$@" &
    wait
    while true; do sleep 0.1; done`;
  const node = [process.execPath, '--input-type=module-typescript', '--eval', member];
  const child = spawn(
    '/usr/bin/env',
    [
      '-i',
      `TMPDIR=${folder}`,
      'PATH=/usr/bin:/bin',
      'TAP=1',
      '/bin/sh',
      '-c',
      script,
      'sh',
      ...node,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.teardown(() => child.kill('SIGKILL'));
  return { child, url: firstLine(child.stdout), ended: once(child, 'exit') };
}

async function works(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Files left in PostgreSQL's folder, after waiting for the removal of its data. */
async function whatIsLeft(folder: string): Promise<string[]> {
  const [name = ''] = await readdir(folder);
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const left = await readdir(join(folder, name));
    if (!left.includes('lock.pid')) return left.sort();
    await sleep(50);
  }
  return ['everything'];
}

const onlyLogsAndLock = ['keeper.log', 'lock.sqlite', 'postgres-startup.log'];

test('test processes share one PostgreSQL, removed with its data when the last has ended', async (t) => {
  const folder = await temporaryFolder(t);
  const members = [1, 2, 3].map(() => startMember(t, folder, 'stay'));
  const urls = await Promise.all(members.map(({ url }) => url));
  t.equal(new Set(urls).size, 1);
  const [url = ''] = urls;
  const last = members.pop();
  for (const { child } of members) child.kill('SIGKILL');
  await sleep(2_000);
  t.ok(await works(url), 'PostgreSQL runs for the last process');
  last?.child.kill('SIGKILL');
  t.strictSame(await whatIsLeft(folder), onlyLogsAndLock);
  t.notOk(await works(url));
});

test('PostgreSQL lives as long as the tap run, even while no test uses it', async (t) => {
  const folder = await temporaryFolder(t);
  const runner = startRunner(t, folder);
  const url = await runner.url;
  await sleep(2_000);
  t.ok(await works(url));
  runner.child.kill('SIGKILL');
  await runner.ended;
  t.strictSame(await whatIsLeft(folder), onlyLogsAndLock);
  t.notOk(await works(url));
});

test('the next run removes the data of a killed keeper and ignores its truncated file', async (t) => {
  const folder = await temporaryFolder(t);
  const first = startMember(t, folder, 'stay');
  const left = await first.url;
  const [name = ''] = await readdir(folder);
  const keeper = Number(await readFile(join(folder, name, 'lock.pid'), 'utf8'));
  process.kill(keeper, 'SIGKILL');
  first.child.kill('SIGKILL');
  await first.ended;
  t.ok(await works(left));
  await writeFile(join(folder, name, 'keeper.json'), '{"id":');
  const second = startMember(t, folder);
  t.not(await second.url, left);
  t.notOk(await works(left));
  t.strictSame(await whatIsLeft(folder), onlyLogsAndLock);
});
