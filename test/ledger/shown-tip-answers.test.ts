import { test } from 'tap';
import { rippleSeconds } from '../../src/embedded/standalone-ledger/codec/ripple-time.ts';
import type { ServerConnection } from '../../src/ledger/server-connection.ts';
import { shownBefore, shownTip, tipIndexOf } from '../../src/ledger/shown-tip.ts';
import { type StatedLedger, statedLedger, statedServer } from '../support/stated-server.ts';

const startMs = 1_800_000_000_000;
const start = rippleSeconds(startMs);
const tip = statedLedger(1_000, start);
const older = (index: number) => statedLedger(index, start - 4 * (1_000 - index));

/** Asks servers of which none lags, by a clock that the caller moves. */
function asking(ready: readonly ServerConnection[], usable = ready) {
  let clock = startMs;
  const watched = {
    now: () => clock,
    reportedUpTo: () => null,
    unansweredSince: new Map<ServerConnection, number>(),
  };
  return {
    at(seconds: number) {
      clock = startMs + seconds * 1_000;
    },
    shown: (asked: StatedLedger = tip) => shownTip(asked, { usable, ready }, watched),
    before: () => shownBefore(tip, { usable, ready }),
  };
}

test('a server that is not connected has no ledger', (t) => {
  t.equal(tipIndexOf(statedServer(null)), 0);
  t.equal(tipIndexOf(statedServer(tip)), 1_000);
  t.end();
});

test('a server has a second to get the ledger that it reports', async (t) => {
  const server = statedServer(tip);
  const began = performance.now();
  server.answer = () => (performance.now() - began < 900 ? 'absent' : tip);
  const lagging = statedServer(older(990), [older(990)], { standalone: true });
  t.match(await asking([server, lagging], [server]).shown(), { hash: tip.hash });
  t.strictSame(server.aside, []);
});

test('a server that answers in between is not counted as unanswering from the first time', async (t) => {
  const server = statedServer(tip);
  const { at, shown } = asking([server, statedServer(older(990))], [server]);
  server.answer = () => 'unanswered';
  t.equal(await shown(), null);
  at(20);
  server.answer = () => 'absent';
  server.tip = older(999);
  t.equal(await shown(), null);
  at(40);
  server.answer = () => 'unanswered';
  server.tip = tip;
  t.equal(await shown(), null);
  t.strictSame(server.aside, []);
});

test('a server that gives no answer is set aside after exactly half a minute, and once', async (t) => {
  const server = statedServer(tip);
  server.answer = () => 'unanswered';
  const { at, shown } = asking([server, statedServer(older(990))], [server]);
  for (const seconds of [0, 29.999]) {
    at(seconds);
    t.equal(await shown(), null);
    t.strictSame(server.aside, [], `${seconds} s`);
  }
  at(30);
  t.equal(await shown(), null);
  t.match(server.aside, [/does not show it/]);
  at(100);
  t.equal(await shown(), null);
  t.equal(server.aside.length, 1, 'after its next connection the time begins again');
});

test('a server that gives no answer contradicts no other one', async (t) => {
  const reporting = statedServer(tip);
  const mute = statedServer(older(999));
  mute.answer = () => 'unanswered';
  t.equal(await asking([reporting, mute]).shown(), null);
  t.strictSame(reporting.aside, []);
});

test('a server that is no longer connected does not seem to lag', async (t) => {
  const reporting = statedServer(tip);
  t.equal(await asking([reporting, statedServer(null)], [reporting]).shown(), null);
  t.strictSame(reporting.aside, []);
});

test('only servers that report the ledger are set aside for it', async (t) => {
  const other = statedLedger(1_000, start, 'C');
  const reporting = statedServer(tip, [other]);
  const ofIndex = statedServer(other, [other]);
  const ofHash = statedServer({ ...tip, index: 1_001 }, [other]);
  t.equal(await asking([reporting, ofIndex, ofHash]).shown(), null);
  t.match(reporting.aside, [/does not show it/]);
  t.strictSame([ofIndex.aside, ofHash.aside], [[], []]);
});

test('the only server is not set aside when it shows another ledger than it reports', async (t) => {
  const server = statedServer(tip, [statedLedger(1_000, start, 'C')]);
  t.equal(await asking([server]).shown(), null);
  t.strictSame(server.aside, []);
});

test('a development ledger may close in the future', async (t) => {
  const future = statedLedger(1_000, start + 7_200);
  const server = statedServer(future, [future], { standalone: true });
  t.match(await asking([server]).shown(future), { hash: future.hash });
});

test('an older ledger that most servers show stands for the tip', async (t) => {
  const other = statedLedger(998, start - 8, 'C');
  const servers = [other, older(998), older(998)].map((ledger) => statedServer(tip, [ledger]));
  t.match(await asking(servers).before(), { hash: older(998).hash });
});

test('servers that do not have the older ledger, or give no answer, do not count', async (t) => {
  const [absent, mute, too] = [statedServer(tip), statedServer(tip), statedServer(tip)];
  for (const server of [mute, too]) server.answer = () => 'unanswered';
  const one = statedServer(tip, [older(998)]);
  t.match(await asking([absent, mute, too, one]).before(), { hash: older(998).hash });
});

test('if no server shows the ledger 2 before the tip, the one 8 before stands for it', async (t) => {
  t.match(await asking([statedServer(tip, [older(992)])]).before(), { hash: older(992).hash });
  t.equal(await asking([statedServer(tip, [older(993)])]).before(), null);
});

test('no older ledger stands for a tip that makes a server seem to lag', async (t) => {
  const servers = [tip, tip, older(997)].map((ledger) => statedServer(ledger, [older(998)]));
  t.equal(await asking(servers, servers.slice(0, 2)).before(), null);
});

test('servers that cannot be used are not asked for an older ledger', async (t) => {
  const used = statedServer(tip, [older(998)]);
  const unused = statedServer(tip, [statedLedger(998, start - 8, 'C')]);
  t.match(await asking([used, unused], [used]).before(), { hash: older(998).hash });
  t.equal(unused.asked, 0);
});
