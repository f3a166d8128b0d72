import type { Test } from 'tap';
import { giveUpQueued } from '../../ops/ledger/give-up-queued.ts';
import { memoOf } from '../../src/domain/log/checkpoint-memo.ts';
import { logName, originOf } from '../../src/domain/log/origin.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { Leaves } from '../../src/event-store/leaves.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { signCheckpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { PublishedLog } from '../../src/transparency-log/published/published-log.ts';
import {
  carryOut,
  planRestore,
  type RestorePlan,
} from '../../src/transparency-log/restore/restore-log.ts';
import {
  createMemoryEventStore,
  type MemoryEventStore,
  memoryLeaves,
} from '../reactors/anchoring/simulation/memory-event-store.ts';
import { type AnchoringSite, masterKeyOf } from './anchoring-site.ts';
import { createTestStore } from './event-store.ts';
import { MemoryLogFiles } from './memory-log-files.ts';
import { until } from './until.ts';

const meta = { actor: 'operator' } as const;

/** The first events of a log, in a store that can be written to. */
export async function copyOf(events: readonly StoredEvent[]): Promise<MemoryEventStore> {
  // A constant time, so that every copy of an event has the same leaf.
  const store = createMemoryEventStore({ now: () => new Date(0) });
  for (const event of events) {
    const { organisationId, stream, version } = event;
    if (organisationId !== null) await store.createKeys(organisationId);
    const entry = { organisationId, stream, expectedVersion: version - 1, events: [event] };
    await store.append([entry], {});
  }
  return store;
}

/** Fails like a kill at the append with this number, before or after its effect. */
export function killedAt(
  store: EventStore,
  number: number,
  moment: 'before' | 'after',
): EventStore {
  let appends = 0;
  return {
    ...store,
    async append(entries, by) {
      appends += 1;
      if (appends === number && moment === 'before') throw new Error('killed');
      const appended = await store.append(entries, by);
      if (appends === number) throw new Error('killed');
      return appended;
    },
  };
}

/** Restores copies of the site's log. The storage is ahead of the copy, or went back too. */
export async function restoring(
  t: Test,
  site: AnchoringSite,
  storage: 'kept' | 'back' = 'kept',
  { lastLedger = 1, url = site.ledger.url } = {},
) {
  const { db } = await createTestStore(t);
  const gateway = openGateway({ network: 'testnet', urls: [url] });
  t.teardown(() => gateway.close());
  await until('the gateway is connected', async () => gateway.current().connected);
  const published = new PublishedLog(new MemoryLogFiles());
  const [opened] = await site.store.readLog(0, 1);
  const logId = opened?.type === 'LogOpened' ? opened.data.logId : '';
  const mark = {
    origin: originOf({ name: logName(logId), epoch: 1 }),
    position: 100_000,
    leaf: 'ab'.repeat(32),
  };
  if (storage === 'kept') {
    await published.writeSubmitted('one', { ...mark, network: 'testnet', lastLedger });
  }
  const networks = [{ gateway, keys: [masterKeyOf(site.wallet)], checkpointKey: null }];
  const reported: object[] = [];
  const report = async (reconciled: object) => void reported.push(reconciled);
  const said: string[] = [];
  const sessionOn = (copy: MemoryEventStore, store: EventStore = copy) => {
    const leaves: Pick<Leaves, 'read'> = memoryLeaves(copy);
    // Its other method is not used.
    return { store, db, leaves: leaves as Leaves, published, meta };
  };
  const restore = async (copy: MemoryEventStore, store: EventStore = copy) => {
    const session = sessionOn(copy, store);
    const plan: RestorePlan | null = await planRestore(session, networks, (line) =>
      said.push(line),
    );
    return plan && { plan, ...(await carryOut(session, plan, { progress() {}, report })) };
  };
  /** Publishes a checkpoint of an epoch, and returns its content. */
  const publish = async (size: number, epoch: number) => {
    const origin = originOf({ name: logName(logId), epoch });
    const checkpoint = { origin, size, root: Buffer.alloc(32, size) };
    const signer = noteSigner(origin, Buffer.alloc(32, 9));
    await published.writeCheckpoint(signCheckpoint(checkpoint, [signer]));
    return memoOf(checkpoint);
  };
  const tipIndex = () => gateway.servers()[0]?.tip?.index;
  const giveUp = (copy: MemoryEventStore, proofId: ProofId, configured = networks) =>
    giveUpQueued(sessionOn(copy), configured, proofId);
  const disconnect = async () => {
    await site.ledger.stop();
    await until('the gateway is disconnected', async () => !gateway.current().connected);
  };
  return { restore, giveUp, disconnect, reported, said, publish, tipIndex };
}
