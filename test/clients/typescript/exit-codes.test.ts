import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { installClient } from '../../support/packed-client.ts';
import { hashOf } from '../../support/proving-site.ts';
import { type Run, run } from '../../support/run.ts';
import {
  failure,
  json,
  type ScriptedAnswer,
  silence,
  startScriptedService,
} from '../../support/scripted-service.ts';
import { until } from '../../support/until.ts';

const workspace = '01M7XT7TQ3W1Y1YB2MWHC1M0JS';
const revoked = failure(401, 'INVALID_API_KEY');

/** The packed command line, and a scripted service that it calls. */
async function openSite(t: Test, ...answers: readonly ScriptedAnswer[]) {
  const service = await startScriptedService(t, ...answers);
  const project = await installClient(t);
  const cwd = join(project, 'files');
  await mkdir(cwd);
  const env = {
    PATH: `${join(project, 'node_modules/.bin')}:${process.env.PATH}`,
    ...{ PROOFMARK_SERVER: service.url, PROOFMARK_API_KEY: 'k', PROOFMARK_WORKSPACE: workspace },
  };
  const proofmark = (...args: readonly string[]): Run =>
    run(t, ['proofmark', ...args], { cwd, env, takesInput: false });
  return { ...service, cwd, proofmark };
}

const entriesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, hash: hashOf(`${at}`) }));

test('a refused key ends a manifest at its first hash, as it ends a file', async (t) => {
  const { cwd, proofmark, calls } = await openSite(t, revoked);
  const lines = entriesOf(100).map(({ name, hash }) => `${hash}  ${name}\n`);
  await writeFile(join(cwd, 'list'), lines.join(''));
  await writeFile(join(cwd, 'one.txt'), 'one');
  const message = /^proofmark: scripted INVALID_API_KEY: check the key[^\n]*\n$/;
  for (const args of [
    ['prove', '--manifest', 'list'],
    ['prove', 'one.txt'],
  ]) {
    const found = await proofmark(...args).ended;
    t.match(found, { code: 3, stdout: '', stderr: message }, args.join(' '));
  }
  t.ok(calls.length <= 10, `${calls.length} calls`);
});

test('a file that failed by itself makes the exit code 1, even if others are queued', async (t) => {
  const later = { success: false, code: 'PROOF_NOT_RECORDED', message: 'queued', proofId: 'P' };
  const queued = { status: 502, retryAfterSeconds: 100_000, body: later };
  const { cwd, proofmark } = await openSite(t, (response, call) => {
    const { hashes, items } = JSON.parse(call.body);
    const known = hashes?.map((hash: string) => ({ hash, proven: false, proofId: null }));
    json(200, { success: true, data: known ?? items.map(() => queued) })(response, call);
  });
  for (const name of ['a.txt', 'z.txt']) await writeFile(join(cwd, name), name);
  t.match(await proofmark('prove', 'a.txt', 'z.txt').ended, { code: 4, stderr: /0 of 2/ });
  for (const files of [
    ['a.txt', 'missing.txt'],
    ['missing.txt', 'z.txt'],
  ]) {
    t.match(await proofmark('prove', ...files).ended, { code: 1, stderr: /0 of 2/ }, `${files}`);
  }
});

test('a page that answers in place of the service is saved as no certificate', async (t) => {
  const { cwd, proofmark } = await openSite(t, (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>'),
  );
  await writeFile(join(cwd, 'a.txt'), 'a');
  const id = '01M7XT7V10RJ1CFD26ZBSKQXP6';
  for (const args of [
    ['certificate', id],
    ['certificate', '--bundle', id],
  ]) {
    const stderr = /the answer is no (certificate|bundle)/;
    t.match(await proofmark(...args).ended, { code: 3, stdout: '', stderr }, args.join(' '));
  }
  t.strictSame(await readdir(cwd), ['a.txt']);
  const empty = await openSite(t, (response) => response.writeHead(200).end());
  t.match(await empty.proofmark('certificate', id).ended, { code: 3, stdout: '' });
  const foreign = await openSite(t, json(200, { success: true, data: [] }));
  await writeFile(join(foreign.cwd, 'a.txt'), 'a');
  t.match(await foreign.proofmark('prove', 'a.txt').ended, { code: 3, stdout: '' });
});

test('runs are those of the workspace of the option, else of the environment', async (t) => {
  const { calls, proofmark } = await openSite(t, json(200, { success: true, data: [] }));
  for (const [args, asked] of [
    [['runs'], workspace],
    [['runs', '--workspace', 'W2'], 'W2'],
  ] as const) {
    t.match(await proofmark(...args).ended, { code: 0, stdout: '', stderr: '' });
    t.equal(new URL(calls.at(-1)?.path ?? '', 'http://x').searchParams.get('workspace'), asked);
  }
});

test('an interrupted command speaks of sent hashes only if it sends some', async (t) => {
  const { cwd, proofmark, calls } = await openSite(t, silence);
  await writeFile(join(cwd, 'a.txt'), 'a');
  for (const [args, stderr] of [
    [['certificate', '01M7XT7V10RJ1CFD26ZBSKQXP6'], /^Interrupted\.\n$/],
    [['prove', 'a.txt'], /^Interrupted\. Hashes that were sent are proven all the same: .*\n$/],
  ] as const) {
    const before = calls.length;
    const command = proofmark(...args);
    await until('it calls the service', async () => calls.length > before);
    command.interrupt();
    t.match(await command.ended, { code: 130, stdout: '', stderr }, args[0]);
  }
});
