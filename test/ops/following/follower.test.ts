import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { KnownKeys } from '../../../ops/audit/checkpoints/known-keys.ts';
import type { OutsideCheckpoint } from '../../../ops/audit/outside/outside-checkpoint.ts';
import { parseAddress, parseWebhook } from '../../../ops/commands/audit-arguments.ts';
import { AnchorWatch } from '../../../ops/following/anchor-watch.ts';
import { FollowState } from '../../../ops/following/follow-state.ts';
import { Follower } from '../../../ops/following/follower.ts';
import { KeptCheckpoints } from '../../../ops/following/kept-checkpoints.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { readLogKey } from '../../../src/verifier/log/note-key.ts';
import { newFolder } from '../../support/blobs.ts';
import { type ForgedLog, noteOf, readerOf } from '../../support/forged-log.ts';
import { sampleLeaves } from '../../support/sample-tree.ts';

const origin = 'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y';
const seed = Buffer.alloc(32, 7);
const leaves = sampleLeaves(1_000);
const other = [...sampleLeaves(400), ...sampleLeaves(600)];
const key = readLogKey(noteSigner(origin, seed).vkey);
const [graceMs, maxAgeMs] = [900_000, 86_400_000];

const limits = { ms: 60_000, bytes: 10_000_000 };

/** Follows a log in memory, at a time of its own. */
async function followed(t: Test, { anchors }: { anchors?: OutsideCheckpoint[] } = {}) {
  const folder = await newFolder(t);
  const log: ForgedLog = { leaves, size: 300, origin, seed, hasTiles: true, isDown: false };
  const clock = { nowMs: Date.now() };
  const unreached: readonly string[] = [];
  const ledger = { isDown: false, unreached };
  const limited = { ...limits };
  const restart = async () => {
    const kept = await KeptCheckpoints.open(join(folder, 'checkpoints'));
    const state = await FollowState.open(join(folder, 'state.json'), () => {});
    const readAnchors = async () => {
      if (ledger.isDown) throw new Error('no server');
      return { anchors: anchors ?? [], cursors: {}, unreached: ledger.unreached };
    };
    const watch = anchors === undefined ? null : new AnchorWatch({ state, readAnchors });
    const follower = new Follower({
      ...{ openLog: () => readerOf(log), keys: new KnownKeys(key ? [key] : []) },
      ...{ origins: [origin], kept, state, anchors: watch, limits: limited },
      ...{ graceMs, maxAgeMs, nowMs: () => clock.nowMs },
    });
    return { kept, state, watch, follower };
  };
  let now = await restart();
  const look = async () => {
    const { alerts, waits } = await now.follower.look();
    await now.follower.enterEpoch();
    const kinds = (found: typeof alerts) => found.map(({ kind }) => kind);
    return { alerts: kinds(alerts), waits: kinds(waits), size: now.kept.newest?.size };
  };
  const later = (ms: number) => {
    clock.nowMs += ms;
  };
  return {
    ...{ folder, log, ledger, look, later, limited },
    follower: () => now.follower,
    matched: () => now.watch?.matched,
    pending: () => now.state.content.pending.length,
    restart: async () => {
      now = await restart();
    },
  };
}

const quiet = { alerts: [], waits: [] };

test('a growing log is kept, also over restarts', async (t) => {
  const { log, look, restart, folder } = await followed(t);
  t.strictSame(await look(), { ...quiet, size: 300 });
  for (const size of [300, 301, 512, 513, 1_000]) {
    log.size = size;
    t.strictSame(await look(), { ...quiet, size });
    await restart();
  }
  t.equal(
    Math.max(
      ...(await readdir(join(folder, 'checkpoints'))).map((name) => Number(name.slice(-16))),
    ),
    1_000,
  );
});

test('the checkpoint of each hour is kept', async (t) => {
  const { log, look, later, folder } = await followed(t);
  for (let size = 300; size < 320; size += 1) {
    log.size = size;
    await look();
    later(1_000_000);
  }
  t.match((await readdir(join(folder, 'checkpoints'))).length, 6, 'of five and a half hours');
});

test('another history with the kept size is a fork', async (t) => {
  const { log, look } = await followed(t);
  log.size = 500;
  await look();
  log.leaves = other;
  t.strictSame(await look(), { alerts: ['fork'], waits: [], size: 500 });
});

test('another history that is longer is a fork, also after a restart', async (t) => {
  const { log, look, restart } = await followed(t);
  log.size = 500;
  await look();
  log.leaves = other;
  log.size = 600;
  t.strictSame(await look(), { alerts: ['fork'], waits: [], size: 500 });
  await restart();
  t.strictSame(await look(), { alerts: ['fork'], waits: [], size: 500 });
});

test('each fork and each foreign key is an alert of its own', async (t) => {
  const { log, follower, look } = await followed(t);
  log.size = 500;
  await look();
  const abouts = [];
  for (const change of [{ leaves: other }, { size: 501 }, { seed: Buffer.alloc(32, 9) }]) {
    Object.assign(log, change);
    abouts.push(...(await follower().look()).alerts.map(({ kind, about }) => `${kind} ${about}`));
  }
  t.match(abouts, [/^fork 500 \S{44}$/, /^fork 501 \S{44}$/, /^foreign-signature [0-9a-f]{8}$/]);
});

test('another history that is shorter is a fork, an old checkpoint of the same is not', async (t) => {
  const { log, look } = await followed(t);
  log.size = 600;
  await look();
  log.size = 500;
  t.strictSame(await look(), { alerts: [], waits: ['truncated'], size: 600 });
  const { leaves: served } = log;
  log.note = noteOf({ ...log, leaves: other });
  t.strictSame(await look(), { alerts: ['fork'], waits: [], size: 600 });
  // Without the tiles of the kept tree, nobody can tell.
  log.leaves = served.slice(0, 500);
  t.strictSame(await look(), { alerts: [], waits: ['truncated'], size: 600 });
});

test('damaged tiles are no fork', async (t) => {
  for (const size of [256, 300]) {
    const { log, look } = await followed(t);
    log.size = size;
    await look();
    log.size = 400;
    log.note = noteOf(log);
    log.leaves = other.map((leaf, at) => (at === 5 ? Buffer.alloc(32, 1) : leaf));
    t.strictSame(await look(), { alerts: [], waits: ['unproven'], size });
  }
});

test('a history that differs only in later events is no fork', async (t) => {
  const { log, look } = await followed(t);
  log.leaves = other;
  log.size = 400;
  t.strictSame(await look(), { ...quiet, size: 400 });
});

test('a foreign key, another log and a new epoch are alerts at once', async (t) => {
  const { log, look, follower, restart } = await followed(t);
  await look();
  log.seed = Buffer.alloc(32, 8);
  t.strictSame(await look(), { alerts: ['foreign-signature'], waits: [], size: 300 });
  log.seed = seed;
  log.origin = 'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Z';
  t.strictSame(await look(), { alerts: ['other-log'], waits: [], size: 300 });
  log.origin = `${origin}/2`;
  log.size = 290;
  t.match((await follower().look()).alerts, [{ kind: 'new-epoch' }]);
  // A kill before the alert is stored.
  await restart();
  t.strictSame(await look(), { alerts: ['new-epoch'], waits: [], size: 290 });
  log.size = 310;
  t.strictSame(await look(), { ...quiet, size: 310 });
  log.origin = `${origin}/3`;
  const third = (await follower().look()).alerts;
  t.match(third, [{ kind: 'new-epoch', about: log.origin }], 'another alert than of the second');
  log.origin = origin;
  t.strictSame(await look(), { alerts: ['fork'], waits: [], size: 310 });
});

test('a foreign key is refused at the first look', async (t) => {
  const { log, look } = await followed(t);
  log.seed = Buffer.alloc(32, 8);
  t.strictSame(await look(), { alerts: ['foreign-signature'], waits: [], size: undefined });
});

const failures = {
  truncated: (log: ForgedLog) => {
    log.size = 299;
  },
  unreachable: (log: ForgedLog) => {
    log.isDown = true;
  },
  unproven: (log: ForgedLog) => {
    log.size = 400;
    log.hasTiles = false;
  },
} as const;

for (const [kind, fail] of Object.entries(failures)) {
  test(`${kind}: waits, and is an alert after a quarter of an hour`, async (t) => {
    const { log, look, later } = await followed(t);
    const before = { ...log };
    await look();
    fail(log);
    t.strictSame(await look(), { alerts: [], waits: [kind], size: 300 });
    later(graceMs - 1);
    t.strictSame(await look(), { alerts: [], waits: [kind], size: 300 });
    later(1);
    t.strictSame(await look(), { alerts: [kind], waits: [], size: 300 });
    Object.assign(log, before);
    t.strictSame(await look(), { ...quiet, size: 300 });
    fail(log);
    t.strictSame(await look(), { alerts: [], waits: [kind], size: 300 }, 'the wait begins anew');
  });
}

for (const [kind, fail] of Object.entries(failures)) {
  test(`${kind}: a follower that restarts again and again alerts at the same time`, async (t) => {
    const { log, look, later, restart } = await followed(t);
    await look();
    fail(log);
    for (let passed = 0; passed < graceMs; passed += graceMs / 9) {
      await restart();
      t.strictSame(await look(), { alerts: [], waits: [kind], size: 300 });
      later(graceMs / 9);
    }
    await restart();
    t.strictSame(await look(), { alerts: [kind], waits: [], size: 300 });
  });
}

test('a log that fails in changing ways is an alert after a quarter of an hour', async (t) => {
  const { log, look, later } = await followed(t);
  const before = { ...log };
  await look();
  for (const fail of [failures.unreachable, failures.truncated, failures.unproven]) {
    Object.assign(log, before);
    fail(log);
    t.strictSame((await look()).alerts, []);
    later(graceMs / 3);
  }
  t.strictSame(await look(), { alerts: ['unproven'], waits: [], size: 300 });
});

test('a clock that was set back neither delays an alert for ever nor raises it at once', async (t) => {
  const { log, look, later } = await followed(t);
  await look();
  failures.unreachable(log);
  await look();
  later(-10 * graceMs);
  t.strictSame((await look()).alerts, []);
  later(graceMs);
  t.strictSame((await look()).alerts, ['unreachable']);
});

test('a log without its checkpoint, and the page of a proxy, are waits', async (t) => {
  const { log, look } = await followed(t);
  log.note = null;
  t.strictSame(await look(), { alerts: [], waits: ['unreachable'], size: undefined });
  delete log.note;
  await look();
  log.note = null;
  t.strictSame(await look(), { alerts: [], waits: ['truncated'], size: 300 });
  log.note = '<html>Bad gateway</html>';
  t.strictSame(await look(), { alerts: [], waits: ['unreachable'], size: 300 });
});

test('a log that stops is an alert, also if the follower was restarted', async (t) => {
  const { log, look, later, restart } = await followed(t);
  await look();
  // The age is that of the file, whose time is not exact.
  later(maxAgeMs - 60_000);
  await restart();
  t.strictSame(await look(), { ...quiet, size: 300 });
  later(120_000);
  t.strictSame(await look(), { alerts: ['stopped'], waits: [], size: 300 });
  log.size = 301;
  t.strictSame(await look(), { ...quiet, size: 301 });
});

test('checkpoints of the ledger are found in the log, or are alerts', async (t) => {
  const anchors: OutsideCheckpoint[] = [];
  const { ledger, log, look, later, matched } = await followed(t, { anchors });
  const anchor = (of: readonly Buffer[], size: number, by = origin) => {
    const root = rootOf(of.slice(0, size));
    anchors.unshift({ in: 'ledger', origin: by, size, root, name: `the checkpoint of ${size}` });
  };
  anchor(leaves, 100);
  anchor(other, 600, 'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Z');
  t.strictSame(await look(), { ...quiet, size: 300 });
  t.equal(matched(), 1, 'the checkpoint of another log does not count');
  ledger.isDown = true;
  t.strictSame(await look(), { alerts: [], waits: ['ledger-unreachable'], size: 300 });
  ledger.isDown = false;
  anchor(leaves, 350);
  t.strictSame(await look(), { alerts: [], waits: ['hidden'], size: 300 });
  later(graceMs);
  t.strictSame(await look(), { alerts: ['hidden'], waits: [], size: 300 });
  log.size = 500;
  t.strictSame(await look(), { ...quiet, size: 500 });
  t.equal(matched(), 2);
  anchor(other, 450);
  t.strictSame(await look(), { alerts: ['fork'], waits: [], size: 500 }, 'two views');
});

test('a ledger server that is down is an alert, and the others are compared', async (t) => {
  const root = rootOf(other.slice(0, 450));
  const anchors: OutsideCheckpoint[] = [];
  const { ledger, look, later, follower } = await followed(t, { anchors });
  ledger.unreached = ['wss://main.example (closed)', 'wss://test.example (closed)'];
  const { waits } = await follower().look();
  t.match(waits, [
    {
      kind: 'ledger-unreachable',
      what: 'the checkpoints on the ledger cannot be read from wss://main.example (closed), wss://test.example (closed)',
    },
  ]);
  anchors.push({ in: 'ledger', origin, size: 200, root, name: 'the checkpoint of 200' });
  t.strictSame(await look(), { alerts: ['fork'], waits: ['ledger-unreachable'], size: 300 });
  later(graceMs);
  t.strictSame((await look()).alerts, ['ledger-unreachable', 'fork']);
});

test('a hidden checkpoint of the ledger stays hidden when it is not read again', async (t) => {
  const anchors: OutsideCheckpoint[] = [];
  const { ledger, log, look, later, restart, matched, pending } = await followed(t, { anchors });
  await look();
  const root = rootOf(leaves.slice(0, 350));
  const second = `${origin}/2`;
  anchors.push({ in: 'ledger', origin, size: 350, root, name: 'the checkpoint of 350' });
  anchors.push({ in: 'ledger', origin: second, size: 351, root, name: 'of the second epoch' });
  t.strictSame(await look(), { alerts: [], waits: ['hidden', 'hidden'], size: 300 });
  anchors.length = 0;
  await restart();
  later(graceMs);
  ledger.isDown = true;
  const both = ['hidden', 'hidden'];
  t.strictSame(await look(), { alerts: both, waits: ['ledger-unreachable'], size: 300 });
  ledger.isDown = false;
  log.size = 400;
  const epoch = { alerts: ['hidden'], waits: [], size: 400 };
  t.strictSame(await look(), epoch, 'a growing log must not withhold its later epoch');
  t.equal(matched(), 1);
  t.equal(pending(), 1);
});

test('a log that takes too long is compared with the ledger in several looks', async (t) => {
  const sizes = [100, 150, 200, 250];
  const anchors: OutsideCheckpoint[] = sizes.map((size) => {
    const root = rootOf(leaves.slice(0, size));
    return { in: 'ledger', origin, size, root, name: `the checkpoint of ${size}` };
  });
  const { look, limited, matched, pending } = await followed(t, { anchors });
  limited.ms = 0;
  t.strictSame((await look()).waits, ['unproven']);
  t.equal(pending(), 4);
  limited.ms = 60_000;
  t.strictSame(await look(), { ...quiet, size: 300 });
  t.equal(matched(), 4);
});

test('a damaged file of a checkpoint is named', async (t) => {
  const { folder, look, log } = await followed(t);
  await look();
  const { writeFile } = await import('node:fs/promises');
  const kept = join(folder, 'checkpoints');
  const [file = ''] = await readdir(kept);
  await writeFile(join(kept, file), noteOf({ ...log, size: 299 }));
  await t.rejects(KeptCheckpoints.open(kept), { message: /is damaged/ });
});

test('addresses are URLs without secrets, and mistakes name their option', (t) => {
  t.equal(parseWebhook('https://alerts.example/a?b=c'), 'https://alerts.example/a?b=c');
  t.throws(() => parseWebhook('alerts.example'), { message: /cannot receive alerts/ });
  t.throws(() => parseAddress('ftp://log.example'), { message: /not the address of a log/ });
  for (const parse of [parseWebhook, parseAddress]) {
    const message = /^https:\/\/…@x\.example cannot be used/;
    t.throws(() => parse('https://user:hidden@x.example/a'), { message });
  }
  t.end();
});
