import { test } from 'tap';
import { decode, Wallet } from 'xrpl';
import { anchorCheckpoint } from '../../../ops/ledger/anchor-checkpoint.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import { LedgerUnavailable } from '../../../src/ledger/ledger-unavailable.ts';
import { Publisher } from '../../../src/transparency-log/publish/publisher.ts';
import { PublishedLog } from '../../../src/transparency-log/published/published-log.ts';
import type { MemoryEventStore } from '../../reactors/anchoring/simulation/memory-event-store.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';
import { startAnnouncingRelay } from '../../support/announcing-relay.ts';
import { MemoryLogFiles } from '../../support/memory-log-files.ts';
import { copyOf, killedAt, restoring } from '../../support/restored-copy.ts';
import { until } from '../../support/until.ts';

const meta = { actor: 'operator' } as const;

const saidBy = ({ events }: MemoryEventStore) =>
  events.map(({ type, stream, data }) => ({ type, stream, data }));

test('`log restored` recovers the transactions of proofs, even if killed at any append', async (t) => {
  const site = await createAnchoringSite(t);
  const plain = { hashScheme: 'sha256-plain-v1', queued: true } as const;
  const fileHash = 'ab'.repeat(32) as Digest;
  const first = await site.request({ ...plain, fileHash });
  const root = await site.upload();
  const workspaceId = await site.newWorkspace();
  const second = await site.request({ ...plain, fileHash, workspaceId });
  const revision = await site.upload(root.documentId);
  const salted = await site.request({ queued: true });
  const kept = await site.store.readLog(0, 10_000);
  const running = await site.start();
  const known = [first, second, salted, root.proofId, revision.proofId];
  await site.settle(known);
  const lost = await site.request();
  await site.settle([lost]);
  await running.stop();
  const { restore, reported } = await restoring(t, site);

  const whole = await copyOf(kept);
  const done = await restore(whole);
  t.match(done, { recovered: 5, lost: [{ anchored: 'proof', closeTimeIso: /^\d{4}-.*Z$/ }] });
  t.match(done?.plan.restored, { epoch: 2, keptSize: 1, reached: 100_000 });
  const anchored = whole.events.filter(({ type }) => type === 'Anchored');
  const place = (proofId: string) => {
    const own = anchored.filter(({ stream }) => stream === `proof-${proofId}`);
    t.equal(own.length, 1);
    return own[0] && 'transactionHash' in own[0].data ? own[0].data.transactionHash : '';
  };
  const onLedger = await site.anchored();
  const places = known.map(place);
  t.equal(new Set(places).size, 5, 'each proof has its own transaction');
  const ofHash = onLedger.filter((one) => one.fileHash === fileHash).map(({ hash }) => hash);
  t.strictSame(
    places.slice(0, 2),
    ofHash,
    'the oldest proof of a hash gets the oldest transaction',
  );
  const last = onLedger.find(({ hash }) => hash === places[4]);
  t.equal(last?.previous, places[3], 'a revision names the previous one');
  t.equal(await restore(whole), null, 'nothing is left to restore');

  const appends = whole.events.length - kept.length;
  t.ok(appends > 8);
  for (const moment of ['before', 'after'] as const) {
    // Several events of a proof share an append, so the loop ends after the last append.
    for (let number = 1; ; number += 1) {
      const copy = await copyOf(kept);
      reported.length = 0;
      const killed = await restore(copy, killedAt(copy, number, moment)).catch(String);
      if (typeof killed !== 'string') {
        t.ok(number > 8, `${number - 1} appends`);
        break;
      }
      t.match(killed, 'killed');
      const isOver = copy.events.at(-1)?.type === 'LogReconciled';
      t.match(await restore(copy), isOver ? null : { recovered: 5, lost: { length: 1 } });
      t.strictSame(saidBy(copy), saidBy(whole), `killed ${moment} append ${number}`);
      t.match(reported.at(-1), { recovered: 5, lost: { length: 1 } }, 'the report exists too');
    }
  }
});

test('a restore names all restores before it, also those that the database has lost', async (t) => {
  const site = await createAnchoringSite(t);
  await site.request({ queued: true });
  const { restore, publish } = await restoring(t, site);
  const copy = await copyOf(await site.store.readLog(0, 10_000));
  // Two epochs of which the storage alone knows.
  const [first, second] = [await publish(40_000, 1), await publish(50_000, 2)];
  const lost = [{ epoch: 2, keptSize: null, published: first, anchored: null }];
  const third = (await restore(copy))?.plan.restored;
  t.match(third, { epoch: 3, published: second });
  t.strictSame(third?.earlier, lost);

  const last = await publish(60_000, 3);
  const fourth = (await restore(copy))?.plan.restored;
  t.match(fourth, { epoch: 4, published: last });
  const recorded = { epoch: 3, keptSize: third?.keptSize ?? 0, published: second, anchored: null };
  t.strictSame(fourth?.earlier, [...lost, recorded]);
  const events = copy.events.filter(({ type }) => type === 'LogRestored');
  t.strictSame(
    events.map(({ data }) => 'earlier' in data && data.earlier),
    [lost, [...lost, recorded]],
  );
});

for (const storage of ['back', 'kept'] as const) {
  test(`waits for a transaction under way when the storage ${storage === 'back' ? 'lost its mark too' : 'has its mark, and a server invents a ledger'}`, async (t) => {
    const site = await createAnchoringSite(t);
    const proofs = [await site.request({ queued: true }), await site.request({ queued: true })];
    const kept = await site.store.readLog(0, 10_000);
    const blobs = new Set<string>();
    const { stop } = await site.start({
      gateway: (real) => ({
        ...real,
        submit(blob) {
          const isFirst = blobs.add(blob).size === 1 || blob === [...blobs][0];
          return isFirst ? real.submit(blob) : Promise.reject(new LedgerUnavailable('slow'));
        },
      }),
    });
    await site.closeUntil(async () => (await site.anchored()).length === 1);
    await stop();
    const [, underWay = ''] = blobs;
    const relay = await startAnnouncingRelay(t, site.ledger.url);
    const lastLedger = Number(decode(underWay).LastLedgerSequence);
    const { restore, said, tipIndex } = await restoring(t, site, storage, {
      lastLedger,
      url: relay.url,
    });
    const copy = await copyOf(kept);
    if (storage === 'kept') {
      relay.announce(lastLedger + 20, 0);
      await until('it is believed', async () => tipIndex() === lastLedger + 20);
    }
    const restored = restore(copy);
    await until('the restore waits', async () => said.length > 0);
    await site.stranger.submit(underWay);
    await site.closeUntil(() => Promise.race([restored.then(() => true), nextTurn()]));
    t.match(await restored, { recovered: 2, lost: [] });
    t.equal(proofs.length, 2);
    t.match(said, [/^waiting for ledger \d+ of testnet/]);
    t.equal(await restore(copy), null, 'nothing is left to restore or to wait for');
    t.equal(said.length, 1);
  });
}

test('a checkpoint not anchored in time is reported, and anchored later', async (t) => {
  const site = await createAnchoringSite(t);
  const checkpointWallet = Wallet.generate();
  const { address: account } = checkpointWallet;
  await site.fund([account]);
  const { store, db, leaves } = site;
  const cancelled = new AbortController().signal;
  const said: string[] = [];
  const progress = { say: (line: string) => said.push(line) };
  const ask = (timeoutMs: number) =>
    anchorCheckpoint({ store, db, leaves, meta, cancelled }, { account, timeoutMs, progress });
  await t.rejects(ask(0), {
    message: /^no checkpoint of all \d+ events was published within 0 s, so none is requested: /,
  });
  const published = new PublishedLog(new MemoryLogFiles());
  const seeds = [Buffer.alloc(32, 9)];
  const publisher = new Publisher({ store, leaves, history: db, published, seeds });
  await publisher.publish();
  await t.rejects(ask(0), {
    message:
      /is requested, but was not anchored within 0 s: .*role reactor.* without another request/,
  });
  const requested = async () => store.readLog(0, 1_000, ['CheckpointRequested']);
  await t.rejects(ask(0), /is requested, but was not anchored/);
  t.equal((await requested()).length, 1, 'a repeated request waits for the checkpoint');
  t.match(said, [
    'waiting until a checkpoint of all events is published',
    /^waiting until the checkpoint of \d+ events is signed$/,
  ]);
  await site.start({ checkpointWallet });
  const later = ask(20_000);
  await site.closeUntil(async () => {
    await publisher.publish();
    return Promise.race([later.then(() => true), nextTurn()]);
  });
  const { anchored } = await later;
  const onRecord = await store.readLog(0, 1_000, ['CheckpointAnchored']);
  const sizes = onRecord.map(({ data }) => 'size' in data && data.size);
  t.equal(sizes.at(-1), anchored.size);
  t.ok(sizes.length === (await requested()).length, 'including the first requested one');
  t.match(await ask(0), { isNew: false, anchored: { size: anchored.size } });
});

const nextTurn = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
