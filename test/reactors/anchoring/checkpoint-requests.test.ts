import { test } from 'tap';
import { openLog } from '../../../src/commands/open-log.ts';
import type { DomainEvent } from '../../../src/domain/events.ts';
import type { CheckpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import { logDecider } from '../../../src/domain/log/decider.ts';
import { logName, originOf } from '../../../src/domain/log/origin.ts';
import { streams } from '../../../src/domain/streams.ts';
import { createLeaves } from '../../../src/event-store/leaves.ts';
import { type LoadedLog, loadLog } from '../../../src/loading/load-log.ts';
import { CheckpointRequests } from '../../../src/reactors/anchoring/checkpoint-requests.ts';
import { runCheckpointRequests } from '../../../src/reactors/anchoring/run-checkpoint-requests.ts';
import { handleLog } from '../../../src/transparency-log/handle-log.ts';
import { Publisher } from '../../../src/transparency-log/publish/publisher.ts';
import { readNewestCheckpoint } from '../../../src/transparency-log/published/published-checkpoints.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { createTestStore, testDeps } from '../../support/event-store.ts';
import { markedEntry } from '../../support/marked-event.ts';
import { openPublishingSite } from '../../support/publishing-site.ts';
import { anchoredAt, randomHash } from '../../support/scripted-anchoring.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
  memoryLeaves,
  publishedAtOnce,
} from './simulation/memory-event-store.ts';
import { VirtualTime } from './simulation/virtual-time.ts';

const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const accountStream = streams.account('1-AA', account);

async function loaded(store: Parameters<typeof loadLog>[0]): Promise<LoadedLog> {
  const log = await loadLog(store);
  if (log === null) throw new Error('no log');
  return log;
}

/** Appends the events of anchoring an open checkpoint, including one gap fill. */
async function anchor(store: MemoryEventStore, sequence: number, fails = false): Promise<void> {
  const signed = { ledgerId: '1-AA', transactionHash: randomHash(), blob: '12', account };
  const prepared = {
    ...signed,
    sequence,
    feeDrops: 10,
    minLedger: 1,
    lastLedgerSequence: 9,
    replaces: null,
  };
  const { state, version } = await loaded(store);
  const entries = [
    {
      stream: streams.log(state.logId),
      version,
      events: logDecider.prepareCheckpoint(state, prepared),
    },
    {
      stream: accountStream,
      version: await store.versionOf(accountStream),
      events: [
        { type: 'GapFillPrepared', data: prepared } as const,
        {
          type: 'SequencesTaken',
          data: { ledgerId: '1-AA', account, taken: [{ sequence, checkpointSize: 1 }] },
        } as const,
      ],
    },
  ];
  await store.append(
    entries.map(({ version: expectedVersion, ...entry }) => {
      return { ...entry, organisationId: null, expectedVersion };
    }),
    {},
  );
  const { transactionHash } = prepared;
  const transaction = { ledgerId: '1-AA', transactionHash, ledgerIndex: 5, ledgerHash: 'CC' };
  const evidence = { ...anchoredAt, transactionIndex: 0, metadata: '', ledgerHeader: '' };
  await handleLog(
    store,
    (now) =>
      fails
        ? logDecider.settleCheckpoint(now, {
            outcome: 'failed',
            transactionHash,
            engineResult: 'tecX',
          })
        : logDecider.settleCheckpoint(now, {
            outcome: 'anchored',
            transaction: { ...transaction, ...evidence },
          }),
    {},
  );
}

/** What follows from an anchoring: the word of the validators on its ledger, sometimes in a later one. */
async function attest(store: MemoryEventStore, ledgerIndex: number): Promise<void> {
  const common = { ledgerId: '1-AA', ledgerIndex, ledgerHash: 'CC', leaves: '' };
  const signed = { ledgerHeader: '', validations: [], manifests: [], validatorLists: [] };
  const next = { ledgerIndex: ledgerIndex + 1, ledgerHash: 'DD' };
  const links = { links: '', attestedIndex: ledgerIndex + 1, next };
  const events: readonly DomainEvent[] = [
    { type: 'LedgerAttested', data: { ...common, ...signed } },
    { type: 'LedgerLinked', data: { ...common, ...links } },
  ];
  for (const event of events) {
    const stream = `attestation-1-AA-${ledgerIndex}-${event.type}`;
    await store.append([{ organisationId: null, stream, expectedVersion: 0, events: [event] }], {});
  }
}

test('a requested checkpoint covers all leaves, and concurrent requests record only one', async (t) => {
  const { store, pool } = await createTestStore(t, { maxConnections: 4 });
  const logId = await openLog({ ...testDeps, store }, {});
  const origin = originOf({ name: logName(logId), epoch: 1 });
  await store.append([markedEntry('one', 0, ...'abcdefghij')], {});
  const leaves = createLeaves(pool);
  const log = await loaded(store);
  const size = 11;
  const root = rootOf(await leaves.read(0, size));
  const memo = { origin, size, rootHash: root.toString('hex') };
  const published = async () => memo;
  const asking = [1, 2, 3].map(() => new CheckpointRequests({ store, leaves, published, account }));
  const answers = await Promise.all(asking.map((one) => one.request(log, 'operator', {})));
  t.strictSame(answers.map(({ outcome }) => outcome).sort(), ['open', 'open', 'requested']);
  t.match((await loaded(store)).state.checkpoint, { status: 'pending', memo });
  const again = await asking[0]?.request(await loaded(store), 'operator', {});
  t.strictSame(again, { outcome: 'open' });
});

test('the newest published checkpoint is requested once it covers something new', async (t) => {
  const site = await openPublishingSite(t);
  const { store, db } = site.database;
  const { leaves, options, append } = site;
  const readPublished = () => readNewestCheckpoint(db);
  const requests = new CheckpointRequests({ store, leaves, published: readPublished, account });
  const request = async (leastSize = 0) =>
    requests.request(await loaded(store), 'interval', {}, leastSize);
  t.strictSame(await request(), { outcome: 'unpublished' }, 'while the storage is away');
  const publisher = new Publisher(options);
  await append(4);
  await publisher.publish();
  await append(3);
  t.strictSame(await request(8), { outcome: 'unpublished' });
  t.match(await request(), { outcome: 'requested', memo: { size: 5 } });
  t.strictSame(await request(), { outcome: 'open' });

  const read = await readNewestCheckpoint(db);
  for (const [other, expected] of [
    [{ ...read, origin: `${read?.origin}/2` }, { outcome: 'unpublished' }],
    [{ ...read, rootHash: '0'.repeat(64) }, /is not of this database/],
  ] as const) {
    const forged = new CheckpointRequests({
      ...{ store, leaves, account },
      published: async () => other as CheckpointMemo,
    });
    const log = await loaded(store);
    const idle = { ...log, state: { ...log.state, checkpoint: { status: 'none' } as const } };
    const asked = forged.request(idle, 'interval', {});
    if (expected instanceof RegExp) await t.rejects(asked, { message: expected });
    else t.strictSame(await asked, expected);
  }
});

test('a log that holds nothing new but its own anchoring is anchored only once', async (t) => {
  const time = new VirtualTime();
  t.teardown(time.install(Math.random));
  const store = createMemoryEventStore({ now: () => time.wall });
  await openLog({ ...testDeps, store }, {});
  const hour = 3_600_000;
  let sequence = 0;
  let log = await loaded(store);
  let fails = false;
  const stop = runCheckpointRequests({
    store,
    leaves: memoryLeaves(store),
    published: () => publishedAtOnce(store),
    log: () => log,
    account,
    intervalMs: hour,
    now: () => time.wall,
    onError: (error) => t.fail(String(error)),
  });
  const anchoring = async () => {
    log = await loaded(store);
    if (log.state.checkpoint.status === 'pending') {
      await anchor(store, ++sequence, fails);
      await attest(store, sequence);
    }
    log = await loaded(store);
  };
  const live = async (hours: number) => {
    const until = time.nowMs + hours * hour;
    while (time.nowMs < until) {
      await time.runUntil(() => false, Math.min(until, time.nowMs + hour / 4));
      await anchoring();
    }
    return store.events.filter(({ type }) => type === 'CheckpointRequested').length;
  };
  t.equal(await live(0.9), 0, 'not before an hour has passed');
  t.equal(await live(1), 1);
  const events = store.events.length;
  t.equal(await live(24 * 7), 1, 'a week in which nothing happens');
  t.equal(store.events.length, events);

  await store.append([markedEntry('two', 0, 'a')], {});
  t.equal(await live(0.3), 2, 'an event after more than an hour');
  await store.append([markedEntry('three', 0, 'a')], {});
  t.equal(await live(0.5), 2, 'another event within the hour');
  fails = true;
  t.equal(await live(1), 3, 'requested when the hour is over, and fails');
  t.equal(await live(3), 6, 'requested again at every interval');
  fails = false;
  t.equal(await live(24), 7);
  time.wallOffsetMs -= 24 * hour;
  await store.append([markedEntry('four', 0, 'a')], {});
  t.equal(await live(2), 8, 'after the clock was set back');
  await stop();
});
