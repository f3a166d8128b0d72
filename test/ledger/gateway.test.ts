import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { type Test, test } from 'tap';
import {
  createStandaloneLedger,
  type StandaloneLedger,
} from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import type { StandaloneLedgerOptions } from '../../src/embedded/standalone-ledger/options.ts';
import type { LedgerGateway, LedgerStatus } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { startAnnouncingRelay } from '../support/announcing-relay.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { scriptedResults, startScriptedServer } from '../support/scripted-server.ts';
import { until as untilTrue } from '../support/until.ts';

const patienceMs = 60_000;
const absentHash = 'A'.repeat(64);

async function startLedger(t: Test, options: StandaloneLedgerOptions = {}) {
  const ledger = await createStandaloneLedger({ closeMs: 0, ...options });
  t.teardown(() => ledger.stop());
  await ledger.close();
  return ledger;
}

function connect(t: Test, urls: readonly string[], options: object = {}): LedgerGateway {
  const gateway = openGateway({ network: 'testnet', urls, ...options });
  t.teardown(() => gateway.close());
  return gateway;
}

function until(gateway: LedgerGateway, condition: (status: LedgerStatus) => boolean) {
  return firstValueFrom(gateway.status.pipe(filter(condition), timeout(patienceMs)));
}

const connected = (status: LedgerStatus) => status.connected;
const atIndex = (index: number) => (status: LedgerStatus) =>
  status.connected && status.tip.index >= index;

/** For changes without a new status. */
async function eventually(condition: () => boolean) {
  await untilTrue('the condition holds', async () => condition());
}

/** A proxy between client and server that can cut or freeze connections. */
async function proxy(t: Test, ledger: StandaloneLedger) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connectTo(ledger.port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    cut();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    cut,
    /** From now on nothing passes, although the connections stay open. */
    freeze() {
      for (const socket of sockets) socket.pause();
    },
    close() {
      server.close();
      cut();
    },
  };
}

test('reads ledgers, accounts and transactions, and reports missing ones', async (t) => {
  const ledger = await startLedger(t);
  const gateway = connect(t, [ledger.url]);
  const status = await until(gateway, connected);
  if (!status.connected) return;
  t.equal(status.standalone, true);
  t.equal(status.networkId, 1);
  t.equal(status.openLedgerFeeDrops, 10);
  const tip = await gateway.ledger(status.tip.index);
  t.equal(tip?.hash, status.tip.hash);
  t.equal(await gateway.ledger(9_999), null);
  t.equal((await gateway.account('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 0))?.sequence, 1);
  t.equal(await gateway.account('rJg562WLMAt8qMzbNU9bs7eKXWMo39aA6D', 0), null);
  const range = { minLedger: 3, maxLedger: status.tip.index };
  t.strictSame(await gateway.lookUp(absentHash, range), { found: 'absent', searchedAll: true });
  t.match(await gateway.submit('DEADBEEF'), { engineResult: 'invalidTransaction' });
});

test('searches a history from a ledger on, or all of it if the server lacks that ledger', async (t) => {
  const ledger = await startLedger(t);
  const gateway = connect(t, [ledger.url]);
  const status = await until(gateway, connected);
  if (!status.connected) return;
  const { index } = status.tip;
  const searchedFrom = async (since?: number) =>
    (await gateway.sent('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', undefined, since)).searchedFrom;
  const whole = await searchedFrom();
  t.ok(whole > 1 && whole < index);
  t.equal(await searchedFrom(index), index);
  t.equal(await searchedFrom(whole - 1), whole, 'before the history');
  t.equal(await searchedFrom(9_999), whole, 'after the history');
});

test('a server that does not know an account does not hide the history of another one', async (t) => {
  const unknown = { ...scriptedResults, account_tx: { error: 'actNotFound' } };
  const known = { ...scriptedResults, account_tx: { ledger_index_min: 5, transactions: [] } };
  for (const results of [
    [unknown, known],
    [known, unknown],
  ]) {
    const urls = [];
    for (const one of results) urls.push(await startScriptedServer(t, one));
    const gateway = connect(t, urls);
    await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
    t.match(await gateway.sent('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'), { searchedFrom: 5 });
  }
  const gateway = connect(t, [await startScriptedServer(t, unknown)]);
  await until(gateway, connected);
  t.match(await gateway.sent('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'), { searchedFrom: 0 });
});

test('reports every validated ledger, with an unbroken chain', async (t) => {
  const ledger = await startLedger(t);
  const gateway = connect(t, [ledger.url]);
  const first = await until(gateway, connected);
  if (!first.connected) return;
  let parent = first.tip.hash;
  for (let count = 1; count <= 5; count += 1) {
    await ledger.close();
    await until(gateway, atIndex(first.tip.index + count));
    const next = await gateway.ledger(first.tip.index + count);
    t.equal(next?.parentHash, parent);
    parent = next?.hash ?? '';
  }
});

test('refuses a server of another network', async (t) => {
  const ledger = await startLedger(t, { networkId: 0 });
  const refused = new Promise<string>((resolve) => {
    connect(t, [ledger.url], { onRefused: (_: string, reason: string) => resolve(reason) });
  });
  t.match(await refused, /network_id 0, but the configured network is 1/);
});

test('restores a lost connection with its subscription', async (t) => {
  const ledger = await startLedger(t);
  const between = await proxy(t, ledger);
  const gateway = connect(t, [between.url]);
  await until(gateway, connected);
  for (let round = 0; round < 3; round += 1) {
    between.cut();
    await until(gateway, (status) => !status.connected);
    await until(gateway, connected);
    const { ledgerIndex } = await ledger.close();
    await until(gateway, atIndex(ledgerIndex));
  }
  t.ok(gateway.current().connected);
});

test('treats a silent server as dead and uses the next one', async (t) => {
  const [silent, good] = [await startLedger(t), await startLedger(t)];
  const troubles: string[] = [];
  const gateway = connect(t, [silent.url, good.url], {
    silenceMs: 300,
    requestTimeoutMs: 500,
    onTrouble: (url: string) => troubles.push(url),
  });
  await until(gateway, connected);
  silent.faults.goSilent();
  const closing = setInterval(() => good.close(), 50);
  t.teardown(() => clearInterval(closing));
  await until(gateway, () => troubles.includes(silent.url));
  t.ok((await gateway.ledger(3)) !== null, 'the other server answers');
});

test('asks the next server for history that the preferred one lost', async (t) => {
  const ledger = await startLedger(t);
  for (let count = 0; count < 4; count += 1) await ledger.close();
  const poor = await startLedger(t);
  for (let count = 0; count < 4; count += 1) await poor.close();
  poor.faults.forgetLedgers(2, 4);
  const gateway = connect(t, [poor.url, ledger.url]);
  await until(gateway, connected);
  const both = connect(t, [ledger.url]);
  await until(both, connected);
  t.equal((await gateway.ledger(3))?.hash, (await both.ledger(3))?.hash);
});

test('reconnects to a server whose chain went back', async (t) => {
  const ledger = await startLedger(t);
  for (let count = 0; count < 10; count += 1) await ledger.close();
  const gateway = connect(t, [ledger.url]);
  await until(gateway, atIndex(10));
  ledger.faults.reset();
  await ledger.close();
  await until(gateway, (status) => status.connected && status.tip.index < 10);
  t.ok(gateway.current().connected);
});

test('without a server every call rejects with LedgerUnavailable', async (t) => {
  const ledger = await startLedger(t);
  const gateway = connect(t, [ledger.url]);
  await until(gateway, connected);
  await ledger.stop();
  await until(gateway, (status) => !status.connected);
  const calls: Promise<unknown>[] = [
    gateway.ledger(3),
    gateway.account('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 0),
    gateway.lookUp(absentHash),
    gateway.submit('00'),
  ];
  for (const call of calls) await t.rejects(call, { name: 'LedgerUnavailable' });
});

test('one busy server of several prevents neither submission nor comparison', async (t) => {
  const [busy, good] = [await startLedger(t), await startLedger(t)];
  const gateway = connect(t, [busy.url, good.url]);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  busy.faults.slowDown(2);
  t.match(await gateway.submit('DEADBEEF'), { engineResult: 'invalidTransaction' });
  const answers = await gateway.ledgers(3);
  t.strictSame(
    answers.map(({ server }) => server),
    [gateway.servers()[1]?.name],
    'the server that answers',
  );
});

test('a server that lacks a ledger is set aside only if another one shows it', async (t) => {
  const [poor, good] = [await startLedger(t), await startLedger(t)];
  for (const ledger of [poor, good]) await ledger.close();
  const gateway = connect(t, [poor.url, good.url]);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  poor.faults.forgetLedgers(2, 2);
  good.faults.forgetLedgers(2, 2);
  t.strictSame(
    (await gateway.ledgers(2)).map(({ ledger }) => ledger),
    [null, null],
  );
  t.match(gateway.servers(), [{ state: 'ready' }, { state: 'ready' }]);
  poor.faults.forgetLedgers(3, 3);
  t.match(await gateway.ledgers(3), [{ ledger: null }, { ledger: { index: 3 } }]);
  t.match(gateway.servers(), [{ state: 'lost', reason: /which others show/ }, { state: 'ready' }]);
});

test('skips a server that lags behind another before treating it as dead', async (t) => {
  const ledger = await startLedger(t);
  const slow = await proxy(t, ledger);
  const gateway = connect(t, [slow.url, ledger.url]);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  slow.freeze();
  let tip = 0;
  for (let count = 0; count < 4; count += 1) tip = (await ledger.close()).ledgerIndex;
  await until(gateway, atIndex(tip));
  const startedAt = performance.now();
  const account = await gateway.account('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', tip);
  t.equal(account?.sequence, 1);
  t.match(await gateway.submit('DEADBEEF'), { engineResult: 'invalidTransaction' });
  t.ok(performance.now() - startedAt < (await onThisMachine(5_000)), 'no call waited for it');
  t.match(gateway.servers()[0], { state: 'ready' });
});

/** A server of the ledger that answers none of these commands, and sends every ledger. */
const mute = (t: Test, ledger: StandaloneLedger, ...commands: readonly string[]) =>
  startAnnouncingRelay(t, ledger.url, (command) => commands.includes(command));

test('a server that sends ledgers but leaves reads unanswered is set aside after two of them', async (t) => {
  const ledger = await startLedger(t);
  const silent = await mute(t, ledger, 'ledger', 'account_info');
  const options = { requestTimeoutMs: 1_000, asideMs: 60_000 };
  const gateway = connect(t, [silent.url, ledger.url], options);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  const { ledgerIndex } = await ledger.close();
  await eventually(() => gateway.servers().every(({ tip }) => tip?.index === ledgerIndex));
  t.ok(await gateway.ledger(3));
  t.match(gateway.servers()[0], { state: 'ready' }, 'one answer may be lost');
  t.ok(await gateway.ledger(3));
  t.match(gateway.servers()[0], { state: 'lost', reason: 'it leaves requests unanswered' });
  const startedAt = performance.now();
  t.ok(await gateway.ledger(3));
  t.ok(performance.now() - startedAt < (await onThisMachine(1_000)), 'no call waits for it');
});

test('a server slow with an old ledger is not set aside for one that does not have it', async (t) => {
  const [ledger, poor] = [await startLedger(t), await startLedger(t)];
  for (let count = 0; count < 4; count += 1) await Promise.all([ledger.close(), poor.close()]);
  poor.faults.forgetLedgers(2, 4);
  const slow = await mute(t, ledger, 'ledger');
  const gateway = connect(t, [slow.url, poor.url], { requestTimeoutMs: 500 });
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  for (let count = 0; count < 2; count += 1) {
    await t.rejects(gateway.ledger(3), { name: 'Unanswered' });
  }
  t.match(gateway.servers()[0], { state: 'ready' });
});

test('requests that one stall leaves unanswered together do not set a server aside', async (t) => {
  const ledger = await startLedger(t);
  const slow = await mute(t, ledger, 'ledger');
  const gateway = connect(t, [slow.url, ledger.url], { requestTimeoutMs: 500 });
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  await Promise.all([gateway.ledger(3), gateway.ledger(3), gateway.ledger(2)]);
  t.match(gateway.servers()[0], { state: 'ready' });
});

test('a server that leaves one command unanswered is not set aside when another one fails', async (t) => {
  const ledger = await startLedger(t);
  const slow = await mute(t, ledger, 'account_tx');
  const gateway = connect(t, [slow.url, ledger.url], { requestTimeoutMs: 500 });
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  const address = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  for (let count = 0; count < 2; count += 1) t.ok(await gateway.sent(address));
  ledger.faults.slowDown(1);
  t.ok(await gateway.ledger(3));
  t.match(gateway.servers()[0], { state: 'ready' });
});

test('the only server is used on, however many reads it leaves unanswered', async (t) => {
  const ledger = await startLedger(t);
  const silent = await mute(t, ledger, 'ledger');
  const gateway = connect(t, [silent.url], { requestTimeoutMs: 500 });
  await until(gateway, connected);
  for (let count = 0; count < 3; count += 1) {
    await t.rejects(gateway.ledger(3), { name: 'Unanswered' });
  }
  t.match(gateway.servers()[0], { state: 'ready' });
  t.equal((await gateway.account('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 0))?.sequence, 1);
});

test('a server whose connection is cut while it answers is not set aside', async (t) => {
  const ledger = await startLedger(t);
  const cut = await proxy(t, ledger);
  const gateway = connect(t, [cut.url, ledger.url], { asideMs: 600_000 });
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  cut.freeze();
  const asked = [gateway.ledger(3), gateway.ledger(3), gateway.ledger(2)];
  cut.cut();
  t.ok((await Promise.all(asked)).every((found) => found !== null));
  await eventually(() => gateway.servers().every(({ state }) => state === 'ready'));
  t.pass('it is connected again at once');
});

test('a server that cannot be compared is not used before it is reconnected', async (t) => {
  const ledger = await startLedger(t);
  const slow = await proxy(t, ledger);
  const gateway = connect(t, [slow.url, ledger.url]);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  const before = gateway.current();
  slow.freeze();
  t.equal((await gateway.ledgers(3)).length, 1, 'the other server answers');
  t.match(gateway.servers()[0], { state: 'lost', reason: /does not show ledger 3/ });
  const after = gateway.current();
  t.ok(before.connected && after.connected && before.epoch !== after.epoch);
});

test('a standalone ledger keeps its name for operators while it is away', async (t) => {
  const ledger = await startLedger(t);
  const gateway = connect(t, [ledger.url]);
  await until(gateway, connected);
  t.equal(gateway.network, 'testnet');
  t.equal(gateway.name(), 'standalone');
  await ledger.stop();
  await until(gateway, (status) => !status.connected);
  t.equal(gateway.name(), 'standalone');
});

test('a server that lacks an amendment shows when it expects to be blocked, until it is upgraded', async (t) => {
  const ledger = await startLedger(t);
  ledger.faults.lackAmendment({ status: 'warned', expectedTime: 849_355_200 });
  const gateway = connect(t, [ledger.url]);
  const first = await until(gateway, connected);
  const shown = () => gateway.servers()[0]?.unsupportedMajority;
  t.strictSame(shown(), { expectedTime: 849_355_200 });
  const showsAfterLedger = async (expected: unknown) => {
    await ledger.close();
    await eventually(() => JSON.stringify(shown()) === JSON.stringify(expected));
    t.strictSame(shown(), expected);
  };
  ledger.faults.lackAmendment({ status: 'warned', expectedTime: null });
  await showsAfterLedger({ expectedTime: null });
  ledger.faults.lackAmendment(null);
  await showsAfterLedger(null);
  ledger.faults.lackAmendment({ status: 'warned', expectedTime: 849_355_200 });
  await showsAfterLedger({ expectedTime: 849_355_200 });
  t.match(
    gateway.current(),
    { connected: true, epoch: first.connected && first.epoch },
    'same connection',
  );
});

const blockedServer = { state: 'lost', amendmentBlocked: true, reason: /upgrade its rippled/ };

test('passes over a server that is amendment blocked at the start, and takes it back after its upgrade', async (t) => {
  const [old, good] = [await startLedger(t), await startLedger(t)];
  old.faults.lackAmendment({ status: 'blocked' });
  const gateway = connect(t, [old.url, good.url], { asideMs: 400 });
  await until(gateway, connected);
  await eventually(() => gateway.servers()[0]?.state !== 'connecting');
  t.match(gateway.servers(), [blockedServer, { state: 'ready', amendmentBlocked: false }]);
  t.match(await gateway.submit('DEADBEEF'), { engineResult: 'invalidTransaction' });
  old.faults.lackAmendment(null);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  t.match(gateway.servers()[0], { amendmentBlocked: false });
});

test('a server that is amendment blocked while it runs is dropped with its next ledger', async (t) => {
  const [old, good] = [await startLedger(t), await startLedger(t)];
  const gateway = connect(t, [old.url, good.url]);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  old.faults.lackAmendment({ status: 'blocked' });
  await old.close();
  await until(gateway, () => gateway.servers()[0]?.state === 'lost');
  t.match(gateway.servers(), [blockedServer, { state: 'ready' }]);
  t.ok((await gateway.ledger(3)) !== null, 'the other server answers');
});

test('an answer amendmentBlocked drops the server, and the next one takes the transaction', async (t) => {
  const [old, good] = [await startLedger(t), await startLedger(t)];
  const gateway = connect(t, [old.url, good.url]);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  old.faults.lackAmendment({ status: 'blocked' });
  t.match(await gateway.submit('DEADBEEF'), { engineResult: 'invalidTransaction' });
  t.match(gateway.servers(), [blockedServer, { state: 'ready' }]);
});

test('a blocked server is asked again about once in the given time, not in quick succession', async (t) => {
  const ledger = await startLedger(t);
  ledger.faults.lackAmendment({ status: 'blocked' });
  const troubles: number[] = [];
  const onTrouble = () => troubles.push(performance.now());
  connect(t, [ledger.url], { asideMs: 300, onTrouble });
  await eventually(() => troubles.length >= 4);
  const waits = troubles.slice(1).map((at, index) => at - (troubles[index] ?? 0));
  t.ok(Math.min(...waits) >= 220, `${waits}`);
});

test('a ledger is read by its hash from any server, not from the preferred one of another chain', async (t) => {
  const [other, own] = [await startLedger(t), await startLedger(t)];
  const { ledgerIndex, ledgerHash } = await own.close();
  await other.close();
  const gateway = connect(t, [other.url, own.url]);
  await eventually(() => gateway.servers().every(({ state }) => state === 'ready'));
  const found = await gateway.ledger(ledgerIndex, ledgerHash);
  t.equal(found?.hash, ledgerHash);
  t.equal(await gateway.ledger(ledgerIndex, absentHash), null);
});

test('the fees are those of the server that asks for less: another one may be loaded', async (t) => {
  const { info } = scriptedResults.server_info;
  const loaded = { info: { ...info, load_factor: 1e6, load_factor_server: 1e6 } };
  const first = await startScriptedServer(t, { ...scriptedResults, server_info: loaded });
  const second = await startScriptedServer(t, scriptedResults);
  const gateway = connect(t, [first, second]);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  t.match(gateway.current(), { queueFeeDrops: 10, openLedgerFeeDrops: 10, baseFeeDrops: 10 });
});

test('fees that a server stated long ago do not count while others have risen', async (t) => {
  const ledger = await startLedger(t);
  let isMute = false;
  const states = ['server_info', 'fee'];
  const isUnanswered = (command: string) => isMute && states.includes(command);
  const stale = await startAnnouncingRelay(t, ledger.url, isUnanswered);
  const gateway = connect(t, [ledger.url, stale.url]);
  await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
  isMute = true;
  ledger.faults.raiseLoadFactor(500);
  for (let count = 0; count < 3; count += 1) {
    const { ledgerIndex } = await ledger.close();
    await eventually(() => gateway.servers().every(({ tip }) => tip?.index === ledgerIndex));
  }
  await until(gateway, (status) => status.connected && status.openLedgerFeeDrops === 5_000);
  t.match(gateway.current(), { queueFeeDrops: 5_000, baseFeeDrops: 10 });
});

for (const stated of [0.000001, 1]) {
  test(`one server that states a base fee of ${stated} XRP does not change the fees`, async (t) => {
    const { info } = scriptedResults.server_info;
    const validated_ledger = { ...info.validated_ledger, base_fee_xrp: stated };
    const wrong = { info: { ...info, validated_ledger } };
    const other = await startScriptedServer(t, { ...scriptedResults, server_info: wrong });
    const good = await startScriptedServer(t, scriptedResults);
    for (const urls of [
      [good, other],
      [other, good, good],
    ]) {
      const gateway = connect(t, urls);
      await until(gateway, () => gateway.servers().every(({ state }) => state === 'ready'));
      t.match(gateway.current(), { queueFeeDrops: 10, openLedgerFeeDrops: 10, baseFeeDrops: 10 });
    }
  });
}
