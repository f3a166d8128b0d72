import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, cp, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import tap, { type Test, test } from 'tap';
import { stopWhatRuns } from '../embedded/run-service.ts';
import { dataOf, hashOf, postProof, verify } from '../support/api-client.ts';
import { startProgram, stop, welcomeOf } from '../support/program.ts';
import { copyProject } from '../support/project-copy.ts';
import { compileCache, projectRoot } from '../support/run.ts';

interface User {
  readonly uid: number;
  readonly gid: number;
}

const me: User = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const isRoot = me.uid === 0;

/** The project of all tests, so that its code is compiled once. */
const cwd = await copyProject(tap, me);

/** The compiled code of all tests: it is found by its place relative to the project. */
const compiled = join(cwd, relative(projectRoot, compileCache.NODE_COMPILE_CACHE));
await cp(compileCache.NODE_COMPILE_CACHE, compiled, { recursive: true }).catch(() => {});

/** Starts the project twice with `npm start`, as the owner of a folder that only the owner can enter. */
async function runThere(t: Test, user: User): Promise<void> {
  for (const path of [cwd, dirname(cwd)]) await chown(path, user.uid, user.gid);
  if (existsSync(compiled)) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, compiled]);
  const dataDir = join(cwd, 'var');
  t.teardown(() => removeData(dataDir));
  const env = { HOME: cwd, ...compileCache, NODE_COMPILE_CACHE: compiled };
  const options = { command: ['npm', 'start', '--silent'], cwd, env, user };
  const first = await startProgram(t, {}, options);
  const caller = { address: first.address, ...(await welcomeOf(first)) };
  const created = await postProof(caller, hashOf('closed'));
  t.match(created, { status: 201 });
  t.match(await stop(first), { code: 0, stderr: '' }, 'npm passes SIGTERM on');
  t.equal((await stat(join(dataDir, 'master-key'))).uid, user.uid);

  const { address } = await startProgram(t, {}, options);
  const again = await postProof({ ...caller, address }, hashOf('closed'));
  t.match(again, { status: 200, body: { data: { txHash: dataOf(created).txHash } } });
  const verified = await verify(address, dataOf(created).txHash);
  t.match(verified, { status: 200, body: { data: { verified: true } } });
}

/**
 * If root starts it, PostgreSQL keeps its data where its own user can enter, possibly outside of DATA_DIR.
 */
async function removeData(dataDir: string): Promise<void> {
  await stopWhatRuns(dataDir);
  const text = await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => '{}');
  const { cluster = '' } = JSON.parse(text) as { cluster?: string };
  if (cluster.startsWith('/')) await rm(dirname(cluster), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

test('it runs as root with the project under a folder closed to all others', async (t) => {
  if (isRoot) return runThere(t, me);
  t.comment('not run: the tests do not run as root');
  t.end();
});

test('it runs as an ordinary user with the project under a folder of that user', async (t) => {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  await runThere(t, isRoot ? { uid: id('-u'), gid: id('-g') } : me);
});
