import { filter, firstValueFrom, timeout } from 'rxjs';
import { type Test, test } from 'tap';
import { rippleSeconds } from '../../src/embedded/standalone-ledger/codec/ripple-time.ts';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { startAnnouncingRelay } from '../support/announcing-relay.ts';
import { until } from '../support/until.ts';

const patienceMs = 60_000;
const farFuture = 2_000_000_000;

interface Options {
  readonly isAlone?: boolean;
  readonly buildVersion?: string;
  /** Returns true for commands that the first server does not answer. */
  readonly mute?: (command: string) => boolean;
  /** The same for the second one. */
  readonly muteOther?: (command: string) => boolean;
  /** Changes the messages of the first server. */
  readonly change?: (message: string) => string;
}

/** A gateway to servers of one ledger, which can announce invented ledgers. */
async function connect(
  t: Test,
  { isAlone = false, mute, muteOther, change, ...options }: Options = {},
  now: () => number = Date.now,
) {
  const ledger = await createStandaloneLedger({ closeMs: 0, ...options });
  t.teardown(() => ledger.stop());
  await ledger.close();
  const relay = await startAnnouncingRelay(t, ledger.url, mute, change);
  const other = await startAnnouncingRelay(t, ledger.url, muteOther);
  const urls = [relay.url, ...(isAlone ? [] : [other.url])];
  const gateway = openGateway({ network: 'testnet', urls, now });
  t.teardown(() => gateway.close());
  await until('all servers are connected', async () =>
    gateway.servers().every(({ state }) => state === 'ready'),
  );
  const tipFrom = async (index: number) => {
    const at = filter((status: ReturnType<typeof gateway.current>) =>
      status.connected ? status.tip.index >= index : false,
    );
    const status = await firstValueFrom(gateway.status.pipe(at, timeout(patienceMs)));
    if (!status.connected) throw new Error('not connected');
    return status.tip;
  };
  /** Closes a ledger, and waits until every server has reported it. */
  const close = async () => {
    const { ledgerIndex } = await ledger.close();
    await until('every server reports the ledger', async () =>
      gateway.servers().every(({ tip }) => tip?.index === ledgerIndex),
    );
    return ledgerIndex;
  };
  return { ledger, close, relay, other, gateway, tipFrom };
}

test('the newest ledger is shown as its header states it', async (t) => {
  const { close, gateway, tipFrom } = await connect(t);
  const tip = await tipFrom(await close());
  t.strictSame(await gateway.shown({ ...tip, closeTime: farFuture }), tip);
  t.equal(await gateway.shown({ ...tip, hash: 'F'.repeat(64) }), null);
});

test('a server that invents a far ledger is set aside, and the others are used again', async (t) => {
  const { close, relay, gateway, tipFrom } = await connect(t);
  const ledgerIndex = await close();
  relay.announce(ledgerIndex + 1_000_000, farFuture);
  const invented = await tipFrom(ledgerIndex + 1_000_000);
  t.equal(await gateway.shown(invented), null);
  t.match(gateway.servers(), [{ state: 'lost', reason: /does not show it/ }, { state: 'ready' }]);
  t.match(gateway.current(), { connected: true, tip: { index: ledgerIndex } });
  t.not(await gateway.account('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', ledgerIndex), null);
});

test('a server that gets a ledger a moment after it reports it is not set aside', async (t) => {
  const { ledger, close, relay } = await connect(t);
  const lagging = await startAnnouncingRelay(t, ledger.url);
  const gateway = openGateway({ network: 'testnet', urls: [relay.url, lagging.url] });
  t.teardown(() => gateway.close());
  const tips = () => gateway.servers().map(({ tip }) => tip?.index);
  const ledgerIndex = await close();
  await until('both report it', async () => tips().every((index) => index === ledgerIndex));
  lagging.lag(ledgerIndex);
  relay.missFirst();
  for (let count = 0; count < 4; count += 1) await ledger.close();
  await until('one lags', async () => tips()[0] === ledgerIndex + 4);
  const status = gateway.current();
  if (!status.connected) throw new Error('not connected');
  t.match(await gateway.shown(status.tip), { hash: status.tip.hash });
  t.match(gateway.servers(), [{ state: 'ready' }, { state: 'ready' }]);
});

test('the only server is not set aside for a ledger that it does not show', async (t) => {
  const { close, relay, gateway, tipFrom } = await connect(t, { isAlone: true });
  const ledgerIndex = await close();
  relay.announce(ledgerIndex + 1_000_000, farFuture);
  t.equal(await gateway.shown(await tipFrom(ledgerIndex + 1_000_000)), null);
  t.match(gateway.servers(), [{ state: 'ready' }]);
});

/** A build_version of a public network's servers: ledgers cannot close at any rate. */
const buildVersion = '2.3.0';
const nowSeconds = () => rippleSeconds(Date.now());

test('a server that forges a ledger of its own is set aside, and the others are used again', async (t) => {
  const { close, relay, gateway, tipFrom } = await connect(t, { buildVersion });
  const ledgerIndex = await close();
  relay.forge(ledgerIndex + 40, nowSeconds());
  const forged = await tipFrom(ledgerIndex + 40);
  t.match(gateway.current(), { outruns: true });
  t.equal(await gateway.shown(forged), null);
  t.match(gateway.servers(), [
    { state: 'lost', reason: `no other server shows its ledger ${ledgerIndex + 40}` },
    { state: 'ready' },
  ]);
  t.match(gateway.current(), { connected: true, outruns: false, tip: { index: ledgerIndex } });
});

test('a server that is ahead of another one, as far as ledgers can have closed, is believed', async (t) => {
  let clock = Date.now();
  const { close, relay, gateway, tipFrom } = await connect(t, { buildVersion }, () => clock);
  const ledgerIndex = await close();
  clock += 60_000;
  const hash = relay.forge(ledgerIndex + 20, rippleSeconds(clock));
  t.match(await gateway.shown(await tipFrom(ledgerIndex + 20)), { hash });
  t.match(gateway.servers(), [{ state: 'ready' }, { state: 'ready' }]);
});

test('a server that lags, and states the time of now, does not set the other one aside', async (t) => {
  let clock = Date.now();
  const connected = await connect(t, { buildVersion }, () => clock);
  const { ledger, close, relay, gateway, tipFrom } = connected;
  const lagging = await close();
  relay.lag(lagging);
  for (let count = 0; count < 12; count += 1) {
    clock += 4_000;
    const { ledgerIndex } = await ledger.close();
    await tipFrom(ledgerIndex);
  }
  relay.announce(lagging + 2, rippleSeconds(clock));
  await until('the lagging server reports it', async () =>
    gateway.servers().some(({ tip }) => tip?.index === lagging + 2),
  );
  const tip = await tipFrom(lagging + 12);
  t.match(gateway.current(), { outruns: true, tip });
  t.match(await gateway.shown(tip), { hash: tip.hash });
  t.match(gateway.servers(), [{ state: 'ready' }, { state: 'ready' }]);
});

test('a server does not forge its way ahead by near ledgers', async (t) => {
  const { close, relay, gateway, tipFrom } = await connect(t, { buildVersion });
  const ledgerIndex = await close();
  const hash = relay.forge(ledgerIndex + 5, nowSeconds());
  t.match(await gateway.shown(await tipFrom(ledgerIndex + 5)), { hash });
  relay.forge(ledgerIndex + 20, nowSeconds());
  t.equal(await gateway.shown(await tipFrom(ledgerIndex + 20)), null);
  t.match(gateway.servers(), [{ state: 'lost' }, { state: 'ready' }]);
});

test('a ledger that closed far in the future is not shown, also by the only server', async (t) => {
  const { close, relay, gateway, tipFrom } = await connect(t, { isAlone: true, buildVersion });
  const ledgerIndex = await close();
  relay.forge(ledgerIndex + 1, nowSeconds() + 7_200);
  t.equal(await gateway.shown(await tipFrom(ledgerIndex + 1)), null);
  t.match(gateway.servers(), [{ state: 'ready' }]);
});

test('a server that makes others seem to lag, and never answers, is set aside after half a minute', async (t) => {
  let clock = Date.now();
  let isMute = false;
  const mute = (command: string) => isMute && command === 'ledger';
  const { close, relay, gateway, tipFrom } = await connect(t, { mute }, () => clock);
  const ledgerIndex = await close();
  isMute = true;
  relay.announce(ledgerIndex + 1_000_000, farFuture);
  const invented = await tipFrom(ledgerIndex + 1_000_000);
  t.equal(await gateway.shown(invented), null);
  t.match(gateway.servers(), [{ state: 'ready' }, { state: 'ready' }]);
  clock += 31_000;
  t.equal(await gateway.shown(invented), null);
  t.match(gateway.servers(), [{ state: 'lost', reason: /does not show it/ }, { state: 'ready' }]);
  t.match(gateway.current(), { connected: true, tip: { index: ledgerIndex } });
});

test('a server that shows its far ledger as other bytes than a header is set aside', async (t) => {
  const { close, relay, gateway, tipFrom } = await connect(t);
  const ledgerIndex = await close();
  relay.garble(ledgerIndex + 1_000_000, farFuture);
  t.equal(await gateway.shown(await tipFrom(ledgerIndex + 1_000_000)), null);
  t.match(gateway.servers(), [{ state: 'lost', reason: /does not show it/ }, { state: 'ready' }]);
});

test('a server that reports another ledger than all show is set aside, even if none seems to lag', async (t) => {
  const { ledger, close, relay, gateway, tipFrom } = await connect(t);
  const ledgerIndex = await close();
  relay.announce(ledgerIndex + 1, nowSeconds());
  const invented = await tipFrom(ledgerIndex + 1);
  t.match(gateway.current(), { outruns: false });
  t.equal(await gateway.shown(invented), null);
  t.match(gateway.servers(), [{ state: 'ready' }, { state: 'ready' }], 'it may come');
  relay.lag(ledgerIndex);
  await ledger.close();
  t.equal(await gateway.shown(invented), null);
  t.match(gateway.servers(), [{ state: 'lost', reason: /does not show it/ }, { state: 'ready' }]);
});

test('in place of a ledger that nobody shows, one shortly before is shown', async (t) => {
  const { close, relay, gateway, tipFrom } = await connect(t);
  const before = await tipFrom(await close());
  relay.announce(before.index + 2, nowSeconds());
  const invented = await tipFrom(before.index + 2);
  t.match(gateway.current(), { outruns: false });
  t.equal(await gateway.shown(invented), null);
  t.strictSame(await gateway.shownBefore(invented), before);
  relay.invent(before.index, nowSeconds());
  t.equal(await gateway.shownBefore(invented), null, 'one server shows another one');
  relay.announce(before.index + 3, nowSeconds());
  t.equal(
    await gateway.shownBefore(await tipFrom(before.index + 3)),
    null,
    'a server seems to lag',
  );
});

test('a server of a public network that calls itself a development ledger is judged all the same', async (t) => {
  const change = (message: string) => message.replaceAll('"2.3.0"', '"proofmark-1"');
  const { close, relay, gateway, tipFrom } = await connect(t, { buildVersion, change });
  const ledgerIndex = await close();
  relay.forge(ledgerIndex + 40, nowSeconds());
  t.equal(await gateway.shown(await tipFrom(ledgerIndex + 40)), null);
  t.match(gateway.servers(), [{ state: 'lost', reason: /no other server/ }, { state: 'ready' }]);
  t.match(gateway.current(), { connected: true, standalone: false });
});

test('while no other server answers, a ledger that may be invented is not shown', async (t) => {
  let isMute = false;
  const muteOther = (command: string) => isMute && command === 'ledger';
  const { close, relay, gateway, tipFrom } = await connect(t, { buildVersion, muteOther });
  const ledgerIndex = await close();
  isMute = true;
  relay.forge(ledgerIndex + 40, nowSeconds());
  const forged = await tipFrom(ledgerIndex + 40);
  t.equal(await gateway.shown(forged), null);
  t.match(gateway.servers(), [{ state: 'ready' }, { state: 'ready' }]);
  isMute = false;
  t.equal(await gateway.shown(forged), null);
  t.match(gateway.servers(), [{ state: 'lost', reason: /no other server/ }, { state: 'ready' }]);
});

test('a server does not gain ledgers that it can invent by standing still', async (t) => {
  let clock = Date.now();
  const connected = await connect(t, { buildVersion }, () => clock);
  const { close, relay, other, gateway, tipFrom } = connected;
  const ledgerIndex = await close();
  clock += 80_000;
  other.announce(ledgerIndex + 20, rippleSeconds(clock));
  await until('the honest server has gone on', async () =>
    gateway.servers().some(({ tip }) => tip?.index === ledgerIndex + 20),
  );
  relay.forge(ledgerIndex + 35, rippleSeconds(clock));
  t.equal(await gateway.shown(await tipFrom(ledgerIndex + 35)), null);
  t.match(gateway.servers(), [{ state: 'lost', reason: /no other server/ }, { state: 'ready' }]);
});

test('a lagging server that states the time of now does not set aside one that comes back', async (t) => {
  let clock = Date.now();
  const connected = await connect(t, { buildVersion }, () => clock);
  const { ledger, close, relay, other, gateway, tipFrom } = connected;
  relay.lag(await close());
  const { ledgerIndex: lagging, ledgerHash } = await ledger.close();
  await tipFrom(lagging);
  for (let count = 0; count < 12; count += 1) await ledger.close();
  await tipFrom(lagging + 12);
  clock += 60_000;
  relay.announce(lagging, rippleSeconds(clock), ledgerHash);
  const tipOf = (at: number) => gateway.servers()[at]?.tip?.index;
  await until('the lagging server reports it', async () => tipOf(0) === lagging);
  other.cut();
  await until('the other one is gone', async () => gateway.servers()[1]?.state === 'lost');
  await until('the other one has come back', async () => tipOf(1) === lagging + 12);
  const tip = await tipFrom(lagging + 12);
  t.match(gateway.current(), { outruns: true });
  t.match(await gateway.shown(tip), { hash: tip.hash });
  t.match(gateway.servers(), [{ state: 'ready' }, { state: 'ready' }]);
});
