import { hash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import tap, { test } from 'tap';
import { parseAddCheckpoint } from '../../src/transparency-log/cosigning/add-checkpoint-request.ts';
import { createCosigner } from '../../src/transparency-log/cosigning/cosigner.ts';
import { checkSignatures } from '../../src/verifier/log/check-signatures.ts';
import { readWitnessKey } from '../../src/verifier/log/note-key.ts';
import { readSignedNote } from '../../src/verifier/log/signed-note.ts';
import { CosignedCheckpoints } from '../../src/witness/cosigned-checkpoints.ts';
import { Witness, type WitnessAnswer } from '../../src/witness/witness.ts';
import { initWitness, openWitnessFolder } from '../../src/witness/witness-folder.ts';
import { WitnessMetrics } from '../../src/witness/witness-metrics.ts';
import { createWitnessServer } from '../../src/witness/witness-server.ts';
import { readExposition, sampleValue } from '../support/exposition.ts';
import { forkedLog } from '../support/forked-log.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { until } from '../support/until.ts';

const cosigner = createCosigner('witness.example/w', Buffer.alloc(32, 5));
const key = readWitnessKey(cosigner.vkey);
if (key === null) throw new Error('no key');
const log = forkedLog();
const nowMs = () => 1_700_000_000_500;

function open(checkpoints = new CosignedCheckpoints(tap.testdir({}), key as never)) {
  return new Witness({ cosigner, logs: [log.key], checkpoints, nowMs });
}

test('cosigns consistent checkpoints, and states the size that it has otherwise', async (t) => {
  const witness = open(new CosignedCheckpoints(t.testdir({}), key));
  const add = async (...of: Parameters<typeof log.request>) =>
    witness.addCheckpoint(await log.request(...of));
  const first = await add(0, 5);
  t.equal(first.status, 200);
  const read = readSignedNote(log.note(5) + first.text);
  const checked = read && checkSignatures(read, [key]);
  t.match(checked?.[1], { outcome: 'valid', seconds: 1_700_000_000 });
  t.equal((await add(5, 9)).status, 200);
  t.equal((await add(9, 9)).status, 200, 'the same checkpoint again');
  t.strictSame(await add(5, 12), { status: 409, text: '9\n' });
  t.strictSame(await add(0, 12), { status: 409, text: '9\n' });
  t.strictSame(await add(11, 12), { status: 409, text: '9\n' }, 'an old size beyond its own');
  t.strictSame(await add(5, 9), { status: 409, text: '9\n' }, 'no smaller tree than before');
  t.equal((await add(9, 8)).status, 400);
  t.equal((await add(9, 12, 1)).status, 422, 'another view of the log');
  const twoRoots = await add(9, 9, 1);
  t.strictSame(twoRoots, { status: 409, text: '9\n' }, 'another root of the same size');
  t.equal((await add(9, 40)).status, 200);
});

test('cosigns two epochs of a log, which have the same key under two names', async (t) => {
  const folder = join(t.testdir({}), 'w');
  await initWitness(folder, 'witness.example/w');
  const epochs = [forkedLog('log.example/x'), forkedLog('log.example/x/2')];
  await writeFile(join(folder, 'logs'), epochs.map((one) => `log ${one.key.vkey}\n`).join(''));
  const opened = await openWitnessFolder(folder);
  t.teardown(opened.release);
  const own = readWitnessKey(opened.cosigner.vkey);
  if (own === null) throw new Error('no key');
  const checkpoints = new CosignedCheckpoints(opened.checkpoints, own);
  const witness = new Witness({ ...opened, checkpoints, nowMs });
  for (const epoch of epochs) {
    t.equal((await witness.addCheckpoint(await epoch.request(0, 5))).status, 200);
  }
  await opened.release();
  await writeFile(join(folder, 'logs'), `log ${epochs[0]?.key.vkey}\n`.repeat(2));
  await t.rejects(openWitnessFolder(folder), { message: /line 2: .* same name and id$/ });
});

test('refuses what is malformed, unknown or signed by nobody known', async (t) => {
  const witness = open(new CosignedCheckpoints(t.testdir({}), key));
  const good = (await log.request(0, 5)).toString();
  const other = forkedLog('log.example/other');
  const status = async (body: string | Buffer) =>
    (await witness.addCheckpoint(Buffer.from(body as string))).status;
  const hashLine = `${Buffer.alloc(32).toString('base64')}\n`;
  for (const bad of [
    '',
    good.replace('old 0', 'old 00'),
    good.replace('old 0', 'old -1'),
    good.replace('old 0', 'old 99999999999999999'),
    good.replace('old 0\n', `old 0\n${hashLine.repeat(64)}`),
    good.replace('old 0\n', 'old 0\nAAAA\n'),
    good.slice(0, -1),
    Buffer.concat([Buffer.from(good), Buffer.of(0xff)]),
  ]) {
    t.equal(await status(bad), 400, JSON.stringify(bad.toString().slice(0, 40)));
  }
  t.equal(await status(await other.request(0, 5)), 404);
  t.equal(await status(good.replace(/(— \S+ .{20})./, '$1A')), 403, 'a wrong signature');
  const foreign = good.replace(/— .*\n/, other.note(5).split('\n').at(-2) ?? '');
  t.equal(await status(`${foreign}\n`), 403, 'no signature of the log');
  t.equal(await status(good.replace('old 0\n', `old 0\n${hashLine}`)), 422, 'a proof from nothing');
  t.ok(parseAddCheckpoint(Buffer.from(good)));
});

test('of concurrent checkpoints of two views, one view alone is cosigned', async (t) => {
  const checkpoints = new CosignedCheckpoints(t.testdir({}), key);
  // Every read and write lets other requests go on.
  const slow = {
    async read(origin: string) {
      await turn();
      return checkpoints.read(origin);
    },
    async write(origin: string, note: string) {
      await turn();
      await checkpoints.write(origin, note);
    },
  };
  const witness = new Witness({ cosigner, logs: [log.key], checkpoints: slow, nowMs });
  const asked: [number, number][] = Array.from({ length: 40 }, (_, n) => [10 + (n >> 1), n % 2]);
  const answers = await Promise.all(
    asked.map(async ([size, view]) => witness.addCheckpoint(await log.request(0, size, view))),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, 39);
});

test('nothing is cosigned that is not durable, and a damaged file never counts as none', async (t) => {
  const folder = t.testdir({});
  const checkpoints = new CosignedCheckpoints(folder, key);
  const failing = {
    read: (origin: string) => checkpoints.read(origin),
    write: () => Promise.reject(new Error('no space')),
  };
  await t.rejects(open(failing as never).addCheckpoint(await log.request(0, 5)), /no space/);
  t.equal((await open(checkpoints).addCheckpoint(await log.request(0, 6))).status, 200);
  const note = (await checkpoints.read(log.origin))?.note ?? '';
  const restarted = () => open(new CosignedCheckpoints(folder, key));
  t.strictSame(await restarted().addCheckpoint(await log.request(0, 7)), {
    status: 409,
    text: '6\n',
  });
  for (const damaged of ['', note.slice(0, 30), log.note(2), note.replace('\n6\n', '\n2\n')]) {
    await checkpoints.write(log.origin, damaged);
    await t.rejects(restarted().addCheckpoint(await log.request(0, 7)), /is damaged/);
  }
});

test('over HTTP: answers, sizes in conflict, the newest checkpoint, and limits', async (t) => {
  const checkpoints = new CosignedCheckpoints(t.testdir({}), key);
  const measured = new WitnessMetrics({ key, logs: [log.origin, log.origin], checkpoints });
  const onTwoRoots = (origin: string) => measured.countTwoRoots(origin);
  const witness = new Witness({ cosigner, logs: [log.key], checkpoints, nowMs, onTwoRoots });
  let trouble: unknown = null;
  const server = createWitnessServer({
    witness: { addCheckpoint: (body): Promise<WitnessAnswer> => witness.addCheckpoint(body) },
    checkpoints,
    onError: (error) => {
      trouble = error;
    },
    onAnswer: (status) => measured.countAnswer(status),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  t.teardown(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const root = `http://127.0.0.1:${port}`;
  const post = (body: Buffer) =>
    fetch(`${root}/add-checkpoint`, { method: 'POST', body: body as never });
  const at = `${root}/${hash('sha256', log.origin, 'hex')}/checkpoint`;
  t.equal((await fetch(at)).status, 404);
  const cosigned = await post(await log.request(0, 7));
  const line = await cosigned.text();
  t.match(line, /^— witness\.example\/w \S+\n$/);
  t.equal(await (await fetch(at)).text(), log.note(7) + line);
  const conflict = await post(await log.request(0, 8));
  t.equal(conflict.status, 409);
  t.equal(conflict.headers.get('content-type'), 'text/x.tlog.size');
  t.equal(await conflict.text(), '7\n');
  const metric = async (name: string, labels = {}) => {
    const samples = readExposition(await measured.registry.metrics());
    return sampleValue(samples, `proofmark_witness_server_${name}`, labels);
  };
  const ofLog = { log: log.origin };
  t.equal(await metric('log_events', ofLog), 7);
  t.equal(await metric('log_cosigned_timestamp_seconds', ofLog), 1_700_000_000);
  t.equal((await post(await log.request(7, 9, 1))).status, 422, 'a proof of another view');
  t.equal(await metric('two_roots_total', ofLog), 0, 'which may be a wrong proof of anybody');
  t.equal((await post(await log.request(7, 7, 1))).status, 409);
  t.equal(await metric('two_roots_total', ofLog), 1, 'two roots of one size');
  t.equal((await fetch(`${root}/add-checkpoint`)).status, 405);
  t.equal((await fetch(`${root}/../key`)).status, 404);
  t.equal((await fetch(`${root}/x`, { method: 'POST', body: 'x' })).status, 404);
  const large = request(`${root}/add-checkpoint`, { method: 'POST' });
  large.on('error', () => {});
  large.write(Buffer.alloc(300_000));
  const [refused] = await once(large, 'response');
  t.equal(refused.statusCode, 413);
  large.destroy();
  await checkpoints.write(log.origin, 'damaged');
  t.equal((await post(await log.request(7, 8))).status, 500);
  t.match(trouble, /is damaged/);
  await until(
    'the answers are counted',
    async () => (await metric('requests_total', { status: '500' })) === 1,
  );
  t.equal(await metric('requests_total', { status: '422' }), 1);
  t.equal(await metric('requests_total', { status: '200' }), 1);
  t.equal(await metric('log_events', ofLog), undefined, 'of a damaged file');
});

test('ends requests that arrive slowly', async (t) => {
  const checkpoints = new CosignedCheckpoints(t.testdir({}), key);
  const onError = (error: unknown) => t.fail(String(error));
  const server = createWitnessServer({
    ...{ witness: open(checkpoints), checkpoints, onError },
    requestTimeoutMs: 50,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const slow = request(`http://127.0.0.1:${port}/add-checkpoint`, { method: 'POST' });
  slow.on('error', () => {});
  slow.write('old 0');
  const startedAt = performance.now();
  await once(slow, 'close');
  t.ok(performance.now() - startedAt < (await onThisMachine(5_000)));
});
