import { type Test, test } from 'tap';
import type { CheckpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import type { TimestampEvent } from '../../../src/domain/log/timestamp-events.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { runTimestamping } from '../../../src/reactors/timestamping/run-timestamping.ts';
import {
  foldTimestamping,
  type TimestampingState,
} from '../../../src/reactors/timestamping/timestamping-fold.ts';
import { openLogSignal } from '../../../src/subscriptions/log-signal.ts';
import {
  createReactorCheckpoints,
  type SharedCheckpoints,
} from '../../../src/subscriptions/reactor-checkpoint.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { askAuthority } from '../../../src/timestamps/ask-authority.ts';
import { readResponse } from '../../../src/timestamps/read-response.ts';
import { textOf } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { createTestStore } from '../../support/event-store.ts';
import {
  createTimestampAuthority,
  granting,
  serveTimestamps,
} from '../../support/timestamp-authority.ts';
import { until } from '../../support/until.ts';

const logId = '01M7XT7TX5VQ3R4S5T6V7W8X9Y';
const stream = streams.log(logId);

async function createSite(t: Test) {
  const { url, db, store } = await createTestStore(t);
  const authority = await createTimestampAuthority(t);
  const served = await serveTimestamps(t, (query) => authority.answer(query));
  const signal = openLogSignal(url);
  t.teardown(() => signal.close());
  let version = 0;
  return {
    store,
    authority,
    served,
    /** Records that a checkpoint of this size was anchored. */
    async anchor(size: number): Promise<CheckpointMemo> {
      const rootHash = size.toString(16).padStart(64, '0');
      const memo = { origin: `proofmark/${logId}`, size, rootHash };
      const data = {
        ...{ ...memo, ledgerId: '1-L', transactionHash: '', ledgerIndex: size, ledgerHash: '' },
        ...{ closeTime: 1, closeTimeIso: '2000-01-01T00:00:01Z', transactionIndex: 0 },
        ...{ metadata: '', ledgerHeader: '' },
      };
      const events = [{ type: 'CheckpointAnchored', data }] as const;
      await store.append([{ organisationId: null, stream, expectedVersion: version, events }], {});
      version += 1;
      return memo;
    },
    async start({
      checkpoints,
      url: tsa = served.url,
      recorder = store,
    }: {
      readonly checkpoints?: SharedCheckpoints;
      readonly url?: string;
      /** Store that the reactor uses; default: that of the site. */
      readonly recorder?: typeof store;
    } = {}) {
      const locks = openWorkLocks(url);
      const failed: unknown[] = [];
      const errors: unknown[] = [];
      const running = await runTimestamping({
        ...{
          store: recorder,
          signal,
          locks,
          checkpoints: checkpoints ?? createReactorCheckpoints(db),
        },
        stamp: (memo, stopped) =>
          askAuthority({ url: tsa, roots: [authority.root] }, textOf(memo), stopped),
        onFailed: (error) => failed.push(error),
        onError: (error) => errors.push(error),
        waits: { tickMs: 10, firstRetryMs: 20, longestRetryMs: 40 },
      });
      let stopping: Promise<void> | null = null;
      const stop = () => {
        stopping ??= running.stop().then(() => locks.close());
        return stopping;
      };
      t.teardown(stop);
      return { running, failed, errors, stop };
    },
    async tokensOf({ rootHash }: CheckpointMemo): Promise<StoredEvent<TimestampEvent>[]> {
      return [...(await store.readStream(streams.timestamp(logId, rootHash)))];
    },
  };
}

test('an anchored checkpoint gets one token, which openssl accepts for its text', async (t) => {
  const site = await createSite(t);
  const both = await Promise.all([site.start(), site.start()]);
  const memo = await site.anchor(328);
  const recorded = () => both.reduce((sum, { running }) => sum + running.counts().recorded, 0);
  await until('the token', async () => recorded() > 0);
  await until('nothing pending', async () =>
    both.every(({ running }) => running.pendingSince() === null),
  );
  const events = await site.tokensOf(memo);
  t.match(events, [{ data: { ...memo, authority: 'O=Proofmark tests, CN=authority' } }]);
  const token = Buffer.from(events[0]?.data.token ?? '', 'base64');
  const text = `proofmark/${logId}\n328\n${Buffer.from(memo.rootHash, 'hex').toString('base64')}\n`;
  t.ok(await site.authority.accepts(token, Buffer.from(text)));
  t.equal(site.served.asked, 1);
  t.same(
    both.flatMap(({ failed, errors }) => [...failed, ...errors]),
    [],
  );
});

test('after an outage of the authority only the newest checkpoint needs a token', async (t) => {
  const site = await createSite(t);
  const { respond } = site.served;
  site.served.respond = (_query, _request, response) => {
    response.writeHead(503).end();
    return null;
  };
  const first = await site.start();
  const memos = [await site.anchor(10), await site.anchor(20), await site.anchor(30)];
  await until('three failures', async () => first.failed.length >= 3);
  t.match(first.failed[0], { message: 'the authority answered 503' });
  t.type(first.running.pendingSince(), 'string');
  // Another process goes on where this one has stopped.
  await first.stop();
  const second = await site.start();
  t.type(second.running.pendingSince(), 'string');
  site.served.respond = respond;
  await until('the token', async () => second.running.counts().recorded === 1);
  const counted = await Promise.all(memos.map(async (memo) => (await site.tokensOf(memo)).length));
  t.same(counted, [0, 0, 1]);
});

test('a token whose recording fails is recorded later, not asked for again', async (t) => {
  const site = await createSite(t);
  let failures = 2;
  const recorder: typeof site.store = {
    ...site.store,
    append: (...given) => {
      if (failures === 0) return site.store.append(...given);
      failures -= 1;
      return Promise.reject(new Error('the database is away'));
    },
  };
  const { running, failed, errors } = await site.start({ recorder });
  const memo = await site.anchor(328);
  await until('the token', async () => running.counts().recorded === 1);
  t.equal(site.served.asked, 1);
  t.equal((await site.tokensOf(memo)).length, 1);
  t.match(errors, [{ message: 'the database is away' }, { message: 'the database is away' }]);
  t.strictSame(failed, [], 'nothing is said of the authority');
});

test('a false token is not recorded, and counted as false', async (t) => {
  const site = await createSite(t);
  const { respond } = site.served;
  const old = readResponse(
    await site.authority.answer(
      await site.authority.queryFor(
        textOf({
          origin: `proofmark/${logId}`,
          size: 10,
          rootHash: (10).toString(16).padStart(64, '0'),
        }),
      ),
    ),
  );
  site.served.respond = () => granting(old);
  const { running, failed } = await site.start();
  const memo = await site.anchor(10);
  await until('two attempts', async () => running.counts().false >= 2);
  t.match(failed[0], { name: 'BadToken' });
  t.same(await site.tokensOf(memo), []);
  site.served.respond = respond;
  await until('the token', async () => running.counts().recorded === 1);
  t.equal((await site.tokensOf(memo)).length, 1);
});

test('a process killed before it saved anything asks again, and a token on record stays', async (t) => {
  const site = await createSite(t);
  const kept = { position: 0, state: { pending: null } };
  // The checkpoint is never saved, as after a kill.
  const checkpoints: SharedCheckpoints = {
    load: async () => kept as never,
    begin: async () => kept as never,
    save: async () => {},
  };
  const memo = await site.anchor(10);
  const first = await site.start({ checkpoints });
  await until('the token', async () => first.running.counts().recorded === 1);
  await first.stop();
  const second = await site.start({ checkpoints });
  const head = await site.store.head();
  await until('the log folded', async () => second.running.position() >= head);
  await until('nothing pending', async () => second.running.pendingSince() === null);
  t.equal((await site.tokensOf(memo)).length, 1);
  t.equal(site.served.asked, 1);
});

test('the time without a token begins with the first checkpoint that has none', async (t) => {
  const event = (type: string, size: number) =>
    ({ type, stream, data: { rootHash: `${size}` }, recordedAt: `at ${size}` }) as never;
  let state: TimestampingState = { pending: null };
  const fold = (type: string, size: number) => {
    state = foldTimestamping(state, event(type, size));
    return state.pending?.since;
  };
  t.equal(fold('CheckpointAnchored', 10), 'at 10');
  t.equal(fold('CheckpointAnchored', 20), 'at 10', 'an hourly checkpoint does not begin it anew');
  t.equal(fold('CheckpointAnchored', 30), 'at 10');
  t.equal(fold('CheckpointTimestamped', 20), 'at 30', 'the last one alone has none');
  t.equal(fold('CheckpointTimestamped', 30), undefined);
  t.equal(fold('CheckpointAnchored', 40), 'at 40');
});

test('a process that cannot reach the authority lets another one ask', async (t) => {
  const site = await createSite(t);
  const unable = await site.start({ url: 'http://127.0.0.1:1/' });
  const memo = await site.anchor(10);
  await until('a failure', async () => unable.failed.length > 0);
  const able = await site.start();
  await until('the token', async () => able.running.counts().recorded === 1);
  t.equal((await site.tokensOf(memo)).length, 1);
});
