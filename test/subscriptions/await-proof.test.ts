import { setTimeout as delay } from 'node:timers/promises';
import { NEVER, of, Subject, timer } from 'rxjs';
import { test } from 'tap';
import type { ProofId } from '../../src/domain/ulid.ts';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { awaitProof, type OpenedProof } from '../../src/subscriptions/await-proof.ts';
import type { StreamChange } from '../../src/subscriptions/stream-watch.ts';

const proofId = 'P' as ProofId;
const requested = { type: 'ProofRequested', recordedAt: 'now', data: { proofId } };
const withdrawn = { type: 'ProofWithdrawn', recordedAt: 'now', data: { reason: 'waitEnded' } };

/** A store whose reads of the proof return these answers in order, and then repeat the last. */
function scripted(answers: readonly (readonly object[] | Error)[], reached = 0) {
  let reads = 0;
  const readStream = async () => {
    const answer = answers[Math.min(reads, answers.length - 1)] ?? [];
    reads += 1;
    if (answer instanceof Error) throw answer;
    return answer as readonly StoredEvent[];
  };
  const changes = new Subject<StreamChange>();
  const deps = {
    store: { readStream } as unknown as EventStore,
    watch: { changes: () => changes, reached: () => reached, size: () => 0, close: () => {} },
  };
  return { deps, changes, reads: () => reads };
}

const change = (type: string) => ({ position: 1, stream: 'proof-P', type });

/** The proof as its caller appended it, at log position 7. */
const opened = {
  state: { status: 'pending', request: {}, queued: false, failures: 0 },
  version: 1,
  position: 7,
} as unknown as OpenedProof;

/** An event of the proof that the watch has in memory. */
const kept = (version: number, type: string, more: object = {}) => {
  const event = { version, type, data: { of: type }, recordedAt: 'now', ...more };
  return { ...change(type), event: event as unknown as StoredEvent };
};

test('a proof settled before the wait is returned at once', async (t) => {
  const { deps } = scripted([[requested, withdrawn]]);
  t.match(await awaitProof(deps, proofId, NEVER), { status: 'withdrawn' });
});

test('reads the proof again when it settles, not when it moves', async (t) => {
  const { deps, changes, reads } = scripted([[requested], [requested, withdrawn]]);
  const waiting = awaitProof(deps, proofId, NEVER);
  changes.next(change('AnchorPrepared'));
  changes.next(change('AnchorExpired'));
  changes.next(change('ProofWithdrawn'));
  t.match(await waiting, { status: 'withdrawn' });
  t.equal(reads(), 2);
});

test('a proof that was just requested is read only when it settles', async (t) => {
  const { deps, changes, reads } = scripted([[requested, withdrawn]], 7);
  const waiting = awaitProof(deps, proofId, NEVER, opened);
  changes.next(change('AnchorPrepared'));
  await delay(5);
  t.equal(reads(), 0);
  changes.next(change('ProofWithdrawn'));
  t.match(await waiting, { status: 'withdrawn' });
  t.equal(reads(), 1);
});

test('a proof that was just requested is folded from events in memory, without a read', async (t) => {
  const { deps, changes, reads } = scripted([[requested]], 7);
  const waiting = awaitProof(deps, proofId, NEVER, opened);
  changes.next(kept(1, 'ProofRequested'));
  changes.next(kept(2, 'AnchorPrepared'));
  changes.next(kept(3, 'Anchored'));
  t.match(await waiting, {
    status: 'completed',
    prepared: { of: 'AnchorPrepared' },
    anchor: { of: 'Anchored' },
  });
  t.equal(reads(), 0);
});

test('a proof is read when it settles if one of its events is not in memory', async (t) => {
  const missing = {
    'a header alone': [change('AnchorPrepared'), kept(3, 'Anchored')],
    'a gap': [kept(3, 'Anchored')],
    'an event of an erased organisation': [kept(2, 'ProofWithdrawn', { erased: true })],
  };
  for (const [name, given] of Object.entries(missing)) {
    const { deps, changes, reads } = scripted([[requested, withdrawn]], 7);
    const waiting = awaitProof(deps, proofId, NEVER, opened);
    for (const one of given) changes.next(one);
    t.match(await waiting, { status: 'withdrawn' }, name);
    t.equal(reads(), 1, name);
  }
});

test('rejects if an event cannot follow', async (t) => {
  const { deps, changes } = scripted([[requested]], 7);
  const waiting = awaitProof(deps, proofId, NEVER, opened);
  changes.next(kept(2, 'Anchored'));
  await t.rejects(waiting, { message: 'Anchored cannot follow the proof state pending' });
});

test('a proof is read at once if the watch may have passed its end', async (t) => {
  const { deps } = scripted([[requested, withdrawn]], 8);
  t.match(await awaitProof(deps, proofId, NEVER, opened), { status: 'withdrawn' });
});

test('ends with the error of a watch that fails', async (t) => {
  const { deps, changes } = scripted([[requested]]);
  const waiting = awaitProof(deps, proofId, NEVER);
  changes.error(new Error('went back'));
  await t.rejects(waiting, { message: 'went back' });
});

test('when the wait ends, returns the current state of the proof', async (t) => {
  const { deps } = scripted([[requested]]);
  t.match(await awaitProof(deps, proofId, of(0)), { status: 'pending' });
  t.match(await awaitProof(deps, proofId, timer(20)), { status: 'pending' });
});

test('waits on while the database is away, and ends with StoreUnavailable', async (t) => {
  const away = new StoreUnavailable();
  const back = scripted([away, away, [requested, withdrawn]]);
  t.match(await awaitProof(back.deps, proofId, NEVER), { status: 'withdrawn' });
  t.equal(back.reads(), 3);
  const gone = scripted([away]);
  await t.rejects(awaitProof(gone.deps, proofId, timer(300)), away);
  const defect = scripted([new Error('defect')]);
  await t.rejects(awaitProof(defect.deps, proofId, NEVER), { message: 'defect' });
});
