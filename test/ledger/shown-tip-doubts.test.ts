import { BehaviorSubject } from 'rxjs';
import { test } from 'tap';
import { rippleSeconds } from '../../src/embedded/standalone-ledger/codec/ripple-time.ts';
import type { ReportedTip } from '../../src/ledger/reported-tips.ts';
import type { ServerConnection } from '../../src/ledger/server-connection.ts';
import { shownTip } from '../../src/ledger/shown-tip.ts';
import {
  type StatedLedger,
  type StatedServer,
  statedLedger,
  statedServer,
} from '../support/stated-server.ts';

const nowMs = 1_800_000_000_000;
const now = rippleSeconds(nowMs);
const newest = statedLedger(1_000, now);
/** The ledger of a lagging server, which closed just now. */
const behind = (by: number, closeTime = now) => statedLedger(1_000 - by, closeTime);
/** Ledgers that can have closed since: 2 of lag, and one in each 2 s of the clocks' difference. */
const possible = 7;

/** The tip of the first server as it is shown. Only this server is used, and the others lag. */
async function shownBy(
  servers: readonly [StatedServer, ...StatedServer[]],
  { tip = newest, from = null }: { tip?: StatedLedger; from?: ReportedTip | null } = {},
) {
  const watched = {
    now: () => nowMs,
    reportedUpTo: () => from,
    unansweredSince: new Map<ServerConnection, number>(),
  };
  const shown = await shownTip(tip, { usable: servers.slice(0, 1), ready: servers }, watched);
  return { isShown: shown?.hash === tip.hash, aside: servers[0].aside };
}

const believed = { isShown: true, aside: [] };
const denied = { isShown: false, aside: ['no other server shows its ledger 1000'] };
const undecided = { isShown: false, aside: [] };

test('a ledger is doubted from the first index that cannot have closed', async (t) => {
  t.strictSame(
    await shownBy([statedServer(newest, [newest]), statedServer(behind(possible))]),
    believed,
  );
  t.strictSame(await shownBy([statedServer(newest, [newest]), statedServer(behind(8))]), denied);
});

test('a close time is doubted from an hour after our clock', async (t) => {
  for (const seconds of [1_800, 3_600]) {
    const tip = statedLedger(1_000, now + seconds);
    t.strictSame(await shownBy([statedServer(tip, [tip])], { tip }), believed, `${seconds} s`);
  }
  const tip = statedLedger(1_000, now + 3_601);
  const closedIn = await shownBy([statedServer(tip, [tip]), statedServer(behind(1))], { tip });
  t.strictSame(closedIn, { isShown: false, aside: ['its ledger 1000 closed in the future'] });
});

test('a lagging server that states a time to come denies no more than one that states now', async (t) => {
  const lagging = statedServer(behind(possible, now + 100));
  t.strictSame(await shownBy([statedServer(newest, [newest]), lagging]), believed);
});

test('a development ledger, and a server that is silent to requests, deny nothing', async (t) => {
  for (const options of [{ standalone: true }, { silent: true }]) {
    const lagging = statedServer(behind(40), [], options);
    t.strictSame(await shownBy([statedServer(newest, [newest]), lagging]), believed);
  }
});

test('the time since a server reported an earlier ledger counts from that ledger on', async (t) => {
  const server = () => statedServer(newest, [newest]);
  const from = (by: number, seconds: number) => ({
    index: 1_000 - by,
    atMs: nowMs - seconds * 1_000,
  });
  const lagging = () => statedServer(behind(8));
  t.strictSame(await shownBy([server(), lagging()], { from: from(10, 6) }), believed);
  t.strictSame(await shownBy([server(), lagging()], { from: from(10, 2) }), denied);
  t.strictSame(await shownBy([server(), lagging()], { from: from(11, 60) }), denied, 'too early');
});

test('only the same ledger of the lagging server covers its true time', async (t) => {
  const reported = behind(40);
  const true40 = behind(40, now - 160);
  const ofLagging = { ...true40, closeTime: reported.closeTime };
  const covering = statedServer(newest, [newest, true40]);
  t.strictSame(await shownBy([covering, statedServer(ofLagging)]), believed);
  const other = statedServer(newest, [newest, statedLedger(960, now - 160, 'C')]);
  t.strictSame(await shownBy([other, statedServer(ofLagging)]), denied);
});

test('a server that is not too far behind denies nothing, but can confirm', async (t) => {
  const far = () => statedServer(behind(40));
  const mute = far();
  mute.answer = () => 'unanswered';
  const near = (shows: readonly StatedLedger[]) => statedServer(behind(1), shows);
  const server = () => statedServer(newest, [newest]);
  t.strictSame(await shownBy([server(), mute, near([])]), undecided);
  t.strictSame(await shownBy([server(), far(), near([newest])]), believed);
  t.strictSame(await shownBy([server(), far(), near([])]), denied);
});

test('another ledger of the same index confirms nothing', async (t) => {
  const lagging = statedServer(behind(40), [statedLedger(1_000, now, 'C')]);
  t.strictSame(await shownBy([statedServer(newest, [newest]), lagging]), denied);
});

test('a server that reaches the ledger a moment later confirms it', async (t) => {
  const lagging = statedServer(behind(40));
  const status = new BehaviorSubject(lagging.current());
  const later = Object.defineProperty(lagging, 'status', { value: status });
  const shown = shownBy([statedServer(newest, [newest]), later]);
  setTimeout(() => {
    lagging.tip = newest;
    lagging.answer = () => newest;
    status.next(lagging.current());
  }, 200);
  t.strictSame(await shown, believed);
});
