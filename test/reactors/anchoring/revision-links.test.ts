import { test } from 'tap';
import { Backlog } from '../../../src/anchoring-state/backlog.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { ProofEvent } from '../../../src/domain/proof/events.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { linkRevisions } from '../../../src/reactors/anchoring/link-revisions.ts';
import { type Random, seededRandom } from '../../support/seed.ts';

type Status = 'pending' | 'processing' | 'completed' | 'refused';

/** True state of a proof, independent of the backlog. */
interface Model {
  readonly id: ProofId;
  readonly previous: Model | null;
  status: Status;
  version: number;
}

/** The log of one network, its true state, and a backlog that reads the log. */
class World {
  readonly proofs: Model[] = [];
  readonly log: StoredEvent[] = [];
  backlog = new Backlog('testnet');
  #read = 0;
  #saved = { position: 0, proofIds: [] as ProofId[] };

  readonly store = {
    readStreams: async (names: readonly string[]) =>
      new Map(names.map((name) => [name, this.log.filter(({ stream }) => stream === name)])),
  } as Pick<EventStore, 'readStreams'> as EventStore;

  request(previous: Model | null): Model {
    const id = `P${this.proofs.length}` as ProofId;
    const model: Model = { id, previous, status: 'pending', version: 0 };
    this.proofs.push(model);
    const document = {
      rootDocumentId: 'D' as DocumentId,
      documentId: `D-${id}` as DocumentId,
      previousProofId: previous?.id ?? null,
      unitMonth: null,
    };
    const of = { proofId: id, organisationId: 'O' as OrganisationId, nonce: null, document };
    const file = { fileHash: 'ab' as Digest, fileName: null, fileSizeBytes: null, mimeType: null };
    const rest = {
      workspaceId: 'W' as WorkspaceId,
      network: 'testnet',
      description: null,
      metadata: null,
      recordsDelivery: false,
    } as const;
    const scheme = { hashScheme: 'sha256-plain-v1', commitment: null } as const;
    this.append(model, { type: 'ProofRequested', data: { ...of, ...file, ...rest, ...scheme } });
    this.append(model, { type: 'ProofQueued', data: { reason: 'document' } });
    return model;
  }

  append(model: Model, event: ProofEvent): void {
    model.version += 1;
    const { version } = model;
    const position = this.log.length + 1;
    const at = { position, version, stream: streams.proof(model.id), eventId: `E${position}` };
    const recordedAt = '2026-01-01T00:00:00.000Z';
    this.log.push({ ...event, ...at, recordedAt, organisationId: 'O', meta: {} } as StoredEvent);
  }

  prepare(model: Model, previousTransactionHash: string | null): void {
    model.status = 'processing';
    const transactionHash = `T-${model.id}`;
    const signed = { ledgerId: 'L', transactionHash, blob: '', account: 'r', sequence: 1 };
    const terms = { hashScheme: 'sha256-plain-v1', feeDrops: 1, minLedger: 1 } as const;
    const data = {
      ...signed,
      ...terms,
      lastLedgerSequence: 9,
      replaces: null,
      previousTransactionHash,
    };
    this.append(model, { type: 'AnchorPrepared', data });
  }

  settle(model: Model, validated: boolean): void {
    const transactionHash = `T-${model.id}`;
    model.status = validated ? 'completed' : 'pending';
    const header = {
      ledgerIndex: 2,
      ledgerHash: '',
      closeTime: 1,
      closeTimeIso: '',
      ledgerId: 'L',
    };
    const found = { transactionIndex: 0, metadata: '', ledgerHeader: '' };
    const expired = { transactionHash, reason: 'absent', engineResult: null } as const;
    this.append(
      model,
      validated
        ? { type: 'Anchored', data: { transactionHash, ...header, ...found } }
        : { type: 'AnchorExpired', data: expired },
    );
  }

  refuse(model: Model): void {
    model.status = 'refused';
    this.append(model, { type: 'AnchorRefused', data: { reason: 'givenUp' } });
  }

  /** Reads `count` new events, by default all. */
  observe(count = this.log.length): void {
    const batch = this.log.slice(this.#read, this.#read + count);
    this.backlog.observe(batch);
    this.#read += batch.length;
  }

  save(): void {
    this.#saved = { position: this.#read, proofIds: this.backlog.proofIds() };
  }

  /** Restarts as after a kill, from the last saved state, which may be old. */
  async restart(): Promise<void> {
    this.backlog = new Backlog('testnet');
    this.#read = this.#saved.position;
    await this.backlog.adopt(this.store, this.#saved.proofIds);
  }

  async link(): Promise<void> {
    while (await linkRevisions(this.store, this.backlog, 1));
  }
}

/** Transaction that the memo of a proof must name, or undefined while it is unsettled. */
function expected({ previous }: Model): string | null | undefined {
  if (previous === null) return null;
  if (previous.status === 'completed') return `T-${previous.id}`;
  return previous.status === 'refused' ? expected(previous) : undefined;
}

/** Proofs that are offered wrongly, or with the wrong previous transaction. */
function misled({ proofs, backlog }: World) {
  const offered = new Map(
    backlog.firstSignable(1_000, 1).map(({ proof, previous }) => [proof.proofId, previous]),
  );
  return proofs.flatMap((model) => {
    const must = model.status === 'pending' ? expected(model) : undefined;
    const does = offered.get(model.id);
    return does === must ? [] : [{ ...model, must, does }];
  });
}

function pick<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

async function act(world: World, random: Random): Promise<void> {
  const withStatus = (status: Status) => world.proofs.filter((proof) => proof.status === status);
  const draw = random();
  if (draw < 0.3) {
    // As in the command: after the newest revision not given up, or on another chain.
    const heads = world.proofs.filter((p) => !world.proofs.some(({ previous }) => previous === p));
    world.request(random() < 0.8 ? (pick(random, heads) ?? null) : null);
  } else if (draw < 0.55) {
    world.observe();
    await world.link();
    const one = pick(random, world.backlog.firstSignable(5, 1));
    const model = world.proofs.find(({ id }) => id === one?.proof.proofId);
    if (one && model) world.prepare(model, one.previous);
  } else if (draw < 0.75) {
    const model = pick(random, withStatus('processing'));
    if (model) world.settle(model, random() < 0.7);
  } else if (draw < 0.85) {
    const model = pick(random, withStatus('pending'));
    if (model) world.refuse(model);
  } else if (draw < 0.9) world.observe(1 + Math.floor(random() * 5));
  else if (draw < 0.95) world.save();
  else await world.restart();
}

test('memos name the nearest anchored revision, whatever the order of events', async (t) => {
  const random = seededRandom(t);
  const seen = { completed: 0, refused: 0, named: 0 };
  for (let run = 0; run < 100; run += 1) {
    const world = new World();
    for (let step = 0; step < 120; step += 1) {
      await act(world, random);
      if (step % 6 !== 0) continue;
      world.observe();
      // Before the look-up of links something may be missing, but nothing may be wrong.
      const early = misled(world).filter(({ does }) => does !== undefined);
      await world.link();
      const wrong = [...early, ...misled(world)];
      if (wrong.length === 0) continue;
      t.strictSame(wrong, [], `run ${run}, step ${step}`);
      return;
    }
    const open = world.proofs.filter(({ status }) => status === 'pending');
    for (const model of open) world.refuse(model);
    world.observe();
    if (world.backlog.linksToLookUp(1, 1).length > 0) t.fail('a link is left for settled proofs');
    seen.completed += world.proofs.filter(({ status }) => status === 'completed').length;
    seen.refused += world.proofs.filter(({ status }) => status === 'refused').length;
    seen.named += world.proofs.filter((p) => p.status === 'completed' && expected(p)).length;
  }
  t.comment(seen);
  t.ok(Math.min(...Object.values(seen)) > 200, 'each kind of event occurred often enough');
});

test('a long chain does not delay the search for proofs to sign', async (t) => {
  const world = new World();
  let last: Model | null = null;
  for (let index = 0; index < 2_000; index += 1) last = world.request(last);
  const other = world.request(null);
  world.observe();
  await world.link();
  const offered = world.backlog.firstSignable(10, 1).map(({ proof }) => proof.proofId);
  t.strictSame(offered, [world.proofs[0]?.id, other.id]);
  t.equal([...world.backlog.pending()].length, 2_001, 'all of them are counted');
  t.strictSame(world.backlog.proofIds().length, 2_001);
  t.strictSame(
    world.backlog.linksToLookUp(10, 1),
    [],
    'no link to read for proofs that are open here',
  );
});

test('looks up a previous revision open on another network again with each ledger', async (t) => {
  const world = new World();
  const foreign = world.request(null);
  // The backlog does not read its events.
  const rest = new World();
  rest.proofs.push(foreign);
  rest.log.push(...world.log);
  const own = rest.request(foreign);
  rest.backlog.observe(rest.log.filter(({ stream }) => stream === streams.proof(own.id)));
  t.equal(await linkRevisions(rest.store, rest.backlog, 7), true);
  t.equal(await linkRevisions(rest.store, rest.backlog, 7), false, 'not twice in one ledger');
  t.strictSame(rest.backlog.firstSignable(10, 7), []);
  rest.prepare(foreign, null);
  rest.settle(foreign, true);
  t.equal(await linkRevisions(rest.store, rest.backlog, 8), true);
  t.match(rest.backlog.firstSignable(10, 8), [
    { proof: { proofId: own.id }, previous: `T-${foreign.id}` },
  ]);
});
