import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'tap';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { newFolder } from '../../support/blobs.ts';
import { type ForgedLog, serveForgedLog } from '../../support/forged-log.ts';
import { ops } from '../../support/operator.ts';
import { projectRoot, run } from '../../support/run.ts';
import { sampleLeaves } from '../../support/sample-tree.ts';
import { until } from '../../support/until.ts';

const origin = 'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y';
const seed = Buffer.alloc(32, 7);
const { vkey } = noteSigner(origin, seed);

test('a follower keeps checkpoints over kill -9, and posts an alert until it is taken', async (t) => {
  const leaves = sampleLeaves(600);
  const log: ForgedLog = { leaves, size: 300, origin, seed, hasTiles: true, isDown: false };
  const address = await serveForgedLog(t, log);
  const folder = await newFolder(t);
  const posted: { kind: string; endedAt: string | null; evidence: string[] }[] = [];
  let isRefused = true;
  const receiver = createServer(async (req, res) => {
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(req)).toString('utf8'));
    if (!isRefused) posted.push(body);
    res.writeHead(isRefused ? 500 : 204).end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  t.teardown(() => receiver.close());
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const args = ['audit', 'follow', '--log', address, '--key', vkey, '--folder', folder];
  const follow = (...more: readonly string[]) =>
    ops(t, {}, ...args, '--grace', '0', '--webhook', webhook, '--once', ...more);
  const alerts = async () => {
    const names = (await readdir(join(folder, 'alerts'))).filter((name) => name.endsWith('.json'));
    return Promise.all(
      names.map(async (name) => JSON.parse(await readFile(join(folder, 'alerts', name), 'utf8'))),
    );
  };

  const program = [process.execPath, join(projectRoot, 'ops/cli.ts')];
  const running = run(t, [...program, ...args, '--every', '1', '--metrics-port', '0']);
  const [, port] = await running.said(/metrics are served on port (\d+)/, 'stderr');
  await running.said(/covers 300 events/, 'stderr');
  t.match(await follow(), { code: 1, stderr: /another process follows a log/ });
  log.size = 400;
  await running.said(/covers 400 events/, 'stderr');
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  t.match(metrics, /^proofmark_follow_checkpoint_events 400$/m);
  t.match(metrics, /^proofmark_follow_alerts\{kind="fork"\} 0$/m);
  running.kill('SIGKILL');
  await running.ended;

  log.size = 500;
  t.match(await follow(), { code: 0, stderr: /covers 500 events/ });
  log.leaves = [...sampleLeaves(400), ...sampleLeaves(200)];
  log.size = 550;
  const forked = await follow();
  t.match(forked, { code: 1, stderr: /ALERT fork: .*550 events contradicts .*500 events/ });
  t.match(forked.stderr, /webhook has not taken an alert/);
  t.match(await alerts(), [{ isSent: false, alert: { kind: 'fork', log: address } }]);
  isRefused = false;
  const again = await follow();
  t.equal(again.code, 1);
  t.notMatch(again.stderr, /ALERT/, 'one alert only, also after a restart');
  t.match(posted, [{ kind: 'fork', endedAt: null }]);
  t.match(posted[0]?.evidence, [/^proofmark[\s\S]*\n500\n/, /^proofmark[\s\S]*\n550\n/]);
  await follow();
  t.equal(posted.length, 1, 'sent once');
  log.isDown = true;
  await follow();
  t.match(posted[1], { kind: 'unreachable', endedAt: null });
  Object.assign(log, { leaves, isDown: false });
  t.match(await follow(), { code: 1, stderr: /ended: unreachable/ }, 'a fork does not end');
  t.match(posted[2], { kind: 'unreachable', endedAt: /Z$/ });
});

test('a follower counts a lasting alert in its metrics, and ends at it if it shall', async (t) => {
  const leaves = sampleLeaves(600);
  const log: ForgedLog = { leaves, size: 300, origin, seed, hasTiles: true, isDown: false };
  const address = await serveForgedLog(t, log);
  const folder = await newFolder(t);
  const program = [process.execPath, join(projectRoot, 'ops/cli.ts')];
  const args = ['audit', 'follow', '--log', address, '--key', vkey, '--folder', folder];
  const following = [...program, ...args, '--every', '1', '--grace', '0'];
  // Nobody takes the alerts.
  const watched = ['--metrics-port', '0', '--webhook', 'http://127.0.0.1:1/'];
  const running = run(t, [...following, ...watched]);
  const [, port] = await running.said(/metrics are served on port (\d+)/, 'stderr');
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`proofmark_follow_${name} `));
    return Number(line?.split(' ').at(-1));
  };
  await running.said(/covers 300 events/, 'stderr');
  t.equal(await metric('alerts{kind="foreign-signature"}'), 0);
  log.seed = Buffer.alloc(32, 8);
  await running.said(/ALERT foreign-signature/, 'stderr');
  t.equal(await metric('alerts{kind="foreign-signature"}'), 1);
  t.equal(await metric('alerts{kind="fork"}'), 0);
  Object.assign(log, { seed, size: 299 });
  await running.said(/ALERT truncated/, 'stderr');
  t.equal(await metric('alerts{kind="truncated"}'), 1);
  await until('both wait for the webhook', async () => (await metric('alerts_unsent')) === 2);
  log.size = 301;
  await running.said(/ended: truncated/, 'stderr');
  t.equal(await metric('alerts{kind="truncated"}'), 0);
  t.equal(await metric('alerts{kind="foreign-signature"}'), 1, 'it never ends');
  await running.said(/covers 301 events/, 'stderr');
  t.equal(await metric('checkpoint_events'), 301);
  t.equal(running.outcome(), null, 'it goes on in spite of an alert');
  running.kill('SIGTERM');
  t.match(await running.ended, { code: 1 });

  const other = await newFolder(t);
  const ending = run(t, [
    ...[...program, 'audit', 'follow', '--log', address, '--key', vkey, '--folder', other],
    ...['--every', '1', '--grace', '0', '--exit-on-alert'],
  ]);
  await ending.said(/covers 301 events/, 'stderr');
  t.equal(ending.outcome(), null);
  log.size = 300;
  t.match(await ending.ended, { code: 1, signal: null, stderr: /ALERT truncated: .*only 300/ });
});

test('a follower ends with 3 while it waits, and with its mistakes', async (t) => {
  const folder = await newFolder(t);
  const args = ['audit', 'follow', '--log', 'http://127.0.0.1:1', '--key', vkey, '--once'];
  const waits = await ops(t, {}, ...args, '--folder', folder);
  t.match(waits, { code: 3, stderr: /no checkpoint is kept; waiting: the log cannot be read/ });
  const mistaken = await ops(t, {}, ...args, '--folder', folder, '--ledger', 'ws://127.0.0.1:1');
  t.match(mistaken, { code: 1, stderr: /--ledger and --account need each other/ });
  const slow = await ops(t, {}, ...args, '--folder', folder, '--every', '2592000');
  t.match(slow, { code: 1, stderr: /--every.*at most 86400, a day/s });
});

test('a follower ends on SIGTERM', async (t) => {
  const leaves = sampleLeaves(3);
  const log: ForgedLog = { leaves, size: 3, origin, seed, hasTiles: true, isDown: false };
  const address = await serveForgedLog(t, log);
  const folder = await newFolder(t);
  const args = ['audit', 'follow', '--log', address, '--key', vkey, '--folder', folder];
  const running = run(t, [process.execPath, join(projectRoot, 'ops/cli.ts'), ...args]);
  await running.said(/covers 3 events/, 'stderr');
  running.kill('SIGTERM');
  t.match(await running.ended, { code: 0 });
  await until('the lock is free', async () => (await ops(t, {}, ...args, '--once')).code === 0);
});
