import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { type Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generateSeed } from 'ripple-keypairs';
import { type Test, test } from 'tap';
import { Wallet } from 'xrpl';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import { signAnchors } from '../../src/ledger/anchor-transaction.ts';
import { createSeedSigner, type Signer } from '../../src/ledger/signer.ts';
import { SignerUnavailable } from '../../src/ledger/signer-unavailable.ts';
import { openRemoteSigners } from '../../src/signing/remote-signers.ts';
import { SigningRate } from '../../src/signing/signing-rate.ts';
import { serveSigning } from '../../src/signing/signing-server.ts';
import { newFolder } from '../support/blobs.ts';
import { until } from '../support/until.ts';

const seeds = [generateSeed(), generateSeed({ algorithm: 'ed25519' })];
const keys = seeds.map((seed) => createSeedSigner(seed));

async function serve(t: Test, options: { perMinute?: number; signers?: readonly Signer[] } = {}) {
  const folder = await newFolder(t);
  await chmod(folder, 0o700);
  const socket = join(folder, 'signer.sock');
  const refused: string[] = [];
  const signed: string[] = [];
  const failed: string[] = [];
  const serving = await serveSigning({
    socket,
    accounts: (options.signers ?? keys).map((signer) => ({ signer, purpose: 'proofs' })),
    maxFeeDrops: 1_000,
    rate: new SigningRate(options.perMinute ?? 100_000),
    onSigned: (account, count) => signed.push(`${account} ${count}`),
    onRefused: (reason) => refused.push(reason),
    onFailed: (error) => failed.push(String(error)),
  });
  t.teardown(() => serving.stop());
  return { socket, folder, refused, signed, failed, serving };
}

const draftOf = (sequence: number, feeDrops = 10) => ({
  sequence,
  feeDrops,
  lastLedgerSequence: 20,
  memo: proofMemo({ fileHash: randomBytes(32).toString('hex'), hashScheme: 'sha256-plain-v1' }),
});

test('signs for other processes exactly as a key of theirs would', async (t) => {
  const { socket, signed } = await serve(t);
  const remote = await openRemoteSigners(socket);
  t.teardown(() => remote.close());
  t.equal(remote.of(Wallet.generate().address), null);
  for (const key of keys) {
    const signer = remote.of(key.address);
    t.match(signer, { address: key.address, accountId: key.accountId, publicKey: key.publicKey });
    const drafts = Array.from({ length: 700 }, (_, sequence) => draftOf(sequence));
    const theirs = await signAnchors(drafts, signer as Signer);
    t.strictSame(theirs, await signAnchors(drafts, key), 'both kinds of keys are deterministic');
  }
  t.strictSame(
    signed,
    keys.flatMap(({ address }) => [`${address} 500`, `${address} 200`]),
  );
});

test('what breaks a rule is not signed, and the log learns of it', async (t) => {
  const { socket, refused, signed } = await serve(t);
  const remote = await openRemoteSigners(socket);
  t.teardown(() => remote.close());
  const signer = remote.of(keys[0]?.address ?? '') as Signer;
  const drafts = [draftOf(1), draftOf(2, 1_001)];
  await t.rejects(signAnchors(drafts, signer), {
    name: 'SignerUnavailable',
    message: /answers 403: a transaction is not signed: its fee of 1001 drops/,
  });
  const [first] = keys.map(({ address }) => ({ account: address, messages: ['00'.repeat(30)] }));
  t.match(await ask(socket, 'POST', '/sign', JSON.stringify(first)), { status: 403 });
  const foreign = { account: Wallet.generate().address, messages: [] };
  t.match(await ask(socket, 'POST', '/sign', JSON.stringify(foreign)), { status: 403 });
  t.equal(refused.length, 3);
  t.strictSame(signed, []);
});

test('a malformed request is refused', async (t) => {
  const { socket, refused } = await serve(t);
  const account = keys[0]?.address;
  for (const body of [
    '',
    '{',
    '[]',
    JSON.stringify({ account }),
    JSON.stringify({ account, messages: ['xyz'] }),
    JSON.stringify({ account, messages: ['00'], more: 1 }),
    JSON.stringify({ account, messages: Array(501).fill('00') }),
    JSON.stringify({ account, messages: ['00'.repeat(2_049)] }),
  ]) {
    t.match(await ask(socket, 'POST', '/sign', body), { status: 400 }, body.slice(0, 60));
  }
  t.equal(refused.length, 8, 'each is told');
  await t.rejects(ask(socket, 'POST', '/sign', ' '.repeat(3_000_000)), 'too large: cut off');
  t.match(await ask(socket, 'GET', '/sign', ''), { status: 404 });
  t.match(await ask(socket, 'GET', '/accounts', ''), { status: 200 }, 'and it goes on');
});

test('no more is signed in a minute than the operator permits', async (t) => {
  const { socket, refused, failed } = await serve(t, { perMinute: 10 });
  const remote = await openRemoteSigners(socket);
  t.teardown(() => remote.close());
  const signer = remote.of(keys[0]?.address ?? '') as Signer;
  t.equal(
    (
      await signAnchors(
        [1, 2, 3, 4, 5, 6, 7, 8].map((n) => draftOf(n)),
        signer,
      )
    ).length,
    8,
  );
  await t.rejects(
    signAnchors(
      [9, 10, 11].map((n) => draftOf(n)),
      signer,
    ),
    SignerUnavailable,
  );
  t.match(failed, [/SIGNATURES_PER_MINUTE is reached; next in \d+ s/]);
  t.strictSame(refused, []);
  let now = 0;
  const rate = new SigningRate(60, () => now);
  t.equal(rate.take(60), 0);
  t.equal(rate.take(2), 2_000);
  now = 2_000;
  t.equal(rate.take(2), 0);
  now = 1_000_000;
  t.equal(rate.take(61), 1_000, 'a minute at most is saved up');
});

test('only the owner and the group of a closed folder reach the socket', async (t) => {
  const { socket, folder } = await serve(t);
  t.equal((await stat(socket)).mode & 0o777, 0o660);
  const open = join(folder, 'open');
  await mkdir(open);
  await chmod(open, 0o755);
  const terms = { accounts: [], maxFeeDrops: 10, rate: new SigningRate(1) };
  const ignored = { onSigned() {}, onRefused() {}, onFailed() {} };
  const at = (path: string) => serveSigning({ socket: path, ...terms, ...ignored });
  await t.rejects(at(join(open, 's')), /others can change or enter .*open: chmod g-w,o= /);
  await t.rejects(at(join(folder, 'none', 's')), /the folder .* does not exist/);
  await t.rejects(at(socket), /another process serves/);
  await chmod(open, 0o770);
  await t.rejects(at(join(open, 's')), /others can change or enter/);
  const file = join(folder, 'file');
  await writeFile(file, 'of somebody');
  await t.rejects(at(file), /exists and is no socket/);
  const left = join(folder, 'left');
  const killed = `require('net').createServer().listen('${left}', () => process.kill(process.pid, 9))`;
  spawnSync(process.execPath, ['-e', killed], { env: {} });
  t.ok((await stat(left)).isSocket());
  const serving = await at(left);
  t.match(await ask(left, 'GET', '/accounts', ''), { status: 200 }, 'a left one is replaced');
  await serving.stop();
});

test('a signer that is away or wrong is unavailable, not a failure of ours', async (t) => {
  const { socket, serving } = await serve(t);
  const remote = await openRemoteSigners(socket);
  t.teardown(() => remote.close());
  const signer = remote.of(keys[0]?.address ?? '') as Signer;
  await serving.stop();
  await t.rejects(signAnchors([draftOf(1)], signer), SignerUnavailable);
  await t.rejects(openRemoteSigners(socket), SignerUnavailable);
  const failing: Signer = {
    ...(keys[0] as Signer),
    sign: () => Promise.reject(new SignerUnavailable('the key service is away')),
  };
  const second = await serve(t, { signers: [failing] });
  const behind = await openRemoteSigners(second.socket);
  t.teardown(() => behind.close());
  await t.rejects(
    signAnchors([draftOf(1)], behind.of(failing.address) as Signer),
    /answers 503: the key service is away/,
  );
});

test('signing is cancelled when the caller leaves', async (t) => {
  const [key] = keys;
  const asked = Promise.withResolvers<AbortSignal | undefined>();
  const slow: Signer = {
    ...(key as Signer),
    sign(_messages, cancelled) {
      asked.resolve(cancelled);
      const reason = new SignerUnavailable('the caller has left');
      return new Promise((_, reject) => cancelled?.addEventListener('abort', () => reject(reason)));
    },
  };
  const { socket, failed, signed } = await serve(t, { signers: [slow] });
  const body = JSON.stringify({ account: slow.address, messages: [] });
  const leaving = request({ socketPath: socket, method: 'POST', path: '/sign' });
  leaving.on('error', () => {});
  leaving.end(body);
  const cancelled = await asked.promise;
  t.equal(cancelled?.aborted, false);
  leaving.destroy();
  await until('signing has ended', async () => failed.length === 1);
  t.equal(cancelled?.aborted, true);
  t.strictSame(signed, []);
});

test('a kept connection that the signer has closed is no reason to wait', async (t) => {
  const folder = await newFolder(t);
  const socket = join(folder, 's');
  const key = keys[0] as Signer;
  const perConnection: number[] = [];
  // Cuts each connection at its second request, as if it had been closed when that was sent.
  const server = createServer((connection) => {
    const place = perConnection.push(0) - 1;
    connection.on('error', () => {});
    connection.on('data', () => {
      perConnection[place] = (perConnection[place] ?? 0) + 1;
      if (perConnection[place] === 2) return connection.destroy();
      const body = JSON.stringify({ accounts: [{ ...key }], signatures: ['00'] });
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}`;
      return connection.write(`${head}\r\nConnection: keep-alive\r\n\r\n${body}`);
    });
  });
  server.listen(socket);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const remote = await openRemoteSigners(socket);
  t.teardown(() => remote.close());
  t.strictSame(await remote.of(key.address)?.sign([Buffer.from('00')]), ['00']);
  t.strictSame(perConnection, [2, 1]);
});

/** One request of any kind. Rejects if the connection is cut. */
function ask(socketPath: string, method: string, path: string, body: string) {
  return new Promise<{ status: number; content: string }>((resolve, reject) => {
    const agent = false as unknown as Agent;
    const sent = request({ socketPath, method, path, agent }, (response) => {
      text(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, content }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
