import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'tap';
import type { SignedTransaction } from '../../../src/domain/ledger/transaction.ts';
import type {
  LedgerGateway,
  LedgerServer,
  LedgerStatus,
  SubmitAnswer,
} from '../../../src/ledger/contract.ts';
import { LedgerUnavailable, Withdrawn } from '../../../src/ledger/ledger-unavailable.ts';
import type { Outstanding } from '../../../src/reactors/anchoring/outstanding.ts';
import { Submission, type SubmissionOptions } from '../../../src/reactors/anchoring/submission.ts';

const atOnce = Promise.resolve();

type Answer = Pick<SubmitAnswer, 'engineResult'> & { readonly validatedLedger?: number };

/**
 * A server at a ledger that gives every submission the same answer; null: none arrives. It bears `room`
 * submissions.
 */
function scripted(answer: Answer | null, options: SubmissionOptions = {}) {
  const submitted: string[] = [];
  const earlierOnes: number[] = [];
  const announced = new Set<string>();
  /** `turn`: what each submission waits for; `pause`: what each answer waits for. */
  const server = {
    ...{ tip: 10, outruns: false, answer, room: 100, servers: 1 },
    ...{ turn: atOnce, pause: Promise.resolve() },
  };
  const gateway: Pick<LedgerGateway, 'submit' | 'submissionsWithin' | 'current' | 'servers'> = {
    async submit(blob, earlier = 0, isWanted = () => true) {
      const { turn } = server;
      if (turn !== atOnce) await turn;
      if (!isWanted()) throw new Withdrawn();
      submitted.push(blob);
      earlierOnes.push(earlier);
      await server.pause;
      if (server.answer === null) throw new LedgerUnavailable('lost');
      return { message: '', validatedLedger: server.tip, ...server.answer };
    },
    submissionsWithin: () => server.room,
    servers: () =>
      Array.from({ length: server.servers }, () => ({ state: 'ready' }) as LedgerServer),
    current: () => {
      const { outruns, tip: index } = server;
      return { connected: true, outruns, tip: { index, hash: '', closeTime: 0 } } as LedgerStatus;
    },
  };
  const submission = new Submission(gateway, options);
  /** Validates ledgers up to `tip`, of which those up to `read` were read without finding `all`. */
  const find = async (tip: number, read: number, all: ReturnType<typeof outstanding>) => {
    server.tip = tip;
    await submission.resend(all, read);
    await nextTurn();
    return submitted.length;
  };
  /** The same for transactions that this process has signed. */
  const reach: typeof find = async (tip, read, all) => {
    server.tip = tip;
    const fresh = [...all].filter(([hash]) => !announced.has(hash));
    for (const [hash] of fresh) announced.add(hash);
    await submission.send(
      fresh.map(([, { signed }]) => signed),
      tip,
    );
    return find(tip, read, all);
  };
  return { submission, server, submitted, earlierOnes, find, reach };
}

function signedAs(
  hash: string,
  sequence: number,
  minLedger: number,
  ledgers = 8,
): SignedTransaction {
  return {
    ...{ ledgerId: '1', transactionHash: hash, blob: hash, account: 'r', sequence, minLedger },
    ...{ feeDrops: 10, lastLedgerSequence: minLedger + ledgers, replaces: null },
  };
}

const placesOf = (places: number) => ({ ledgerId: '1', byAccount: new Map([['r', places]]) });

function outstanding(minLedger: number, hash = 'A', ledgers = 8): Map<string, Outstanding> {
  const signed = signedAs(hash, 1, minLedger, ledgers);
  const gapFill = { ...signed, eventId: '', replaced: [] };
  return new Map([[hash, { kind: 'gapFill', gapFill, signed, replaced: [] }]]);
}

for (const engineResult of ['tesSUCCESS', 'terQUEUED', 'terPRE_SEQ', 'tefPAST_SEQ']) {
  test(`after ${engineResult} nothing is submitted again before two ledgers lack it`, async (t) => {
    const { reach } = scripted({ engineResult });
    const all = outstanding(10);
    t.equal(await reach(10, 10, all), 1);
    t.equal(await reach(11, 11, all), 1);
    t.equal(await reach(12, 12, all), 2);
    t.equal(await reach(13, 13, all), 2);
  });
}

test('an answer counts from the ledger of the server, which may be ahead', async (t) => {
  const { reach } = scripted({ engineResult: 'tesSUCCESS', validatedLedger: 13 });
  const all = outstanding(10);
  t.equal(await reach(10, 10, all), 1);
  t.equal(await reach(14, 14, all), 1);
  t.equal(await reach(15, 15, all), 2);
});

test('an answer that names an impossible ledger does not put off the next submission', async (t) => {
  const { reach } = scripted({ engineResult: 'tesSUCCESS', validatedLedger: 1_000_000 });
  const all = outstanding(10);
  t.equal(await reach(10, 10, all), 1);
  t.equal(await reach(15, 15, all), 2);
});

test('after ledgers that a server has invented, a transaction is submitted again at once', async (t) => {
  const { reach } = scripted({ engineResult: 'tesSUCCESS' });
  const all = outstanding(10, 'A', 28);
  t.equal(await reach(30, 30, all), 1);
  t.equal(await reach(12, 11, all), 1, 'ledger 12 may contain it');
  t.equal(await reach(12, 12, all), 2);
});

test('each submission of a transaction says how many there were before', async (t) => {
  const { submission, reach, earlierOnes } = scripted({ engineResult: 'tesSUCCESS' });
  const all = outstanding(10);
  for (const tip of [10, 12, 14]) await reach(tip, tip, all);
  await submission.send([signedAs('B', 2, 14)], 14);
  submission.fill(placesOf(2));
  t.strictSame(earlierOnes, [0, 1, 2, 0]);
});

test('a refused or lost submission is repeated at the next ledger, once that is read', async (t) => {
  for (const answer of [{ engineResult: 'telCAN_NOT_QUEUE' }, null]) {
    const { reach } = scripted(answer);
    const all = outstanding(10);
    t.equal(await reach(10, 10, all), 1);
    t.equal(await reach(10, 10, all), 1);
    t.equal(await reach(12, 11, all), 1, 'ledger 12 may contain it');
    t.equal(await reach(12, 12, all), 2);
  }
});

test('a transaction of another process waits for two ledgers, and until the newest is read', async (t) => {
  const { find } = scripted({ engineResult: 'tesSUCCESS' });
  const all = outstanding(10);
  t.equal(await find(12, 12, all), 0, 'a server may have had it just before');
  t.equal(await find(13, 13, all), 0);
  t.equal(await find(14, 13, all), 0);
  t.equal(await find(14, 14, all), 1);
});

test('a process that restarts counts the two ledgers from its lock, compared or not', async (t) => {
  const { submission, server, submitted, find } = scripted({ engineResult: 'tesSUCCESS' });
  const all = outstanding(10);
  await submission.resend(new Map(), 10, all);
  server.tip = 11;
  await submission.resend(new Map(), 11, all);
  t.equal(await find(12, 12, all), 1);
  t.strictSame(submitted, ['A']);
});

test('a transaction found at an invented ledger waits for two true ones', async (t) => {
  const { find } = scripted({ engineResult: 'tesSUCCESS' });
  const all = outstanding(10);
  t.equal(await find(1_000_000, 10, all), 0);
  t.equal(await find(11, 11, all), 0);
  t.equal(await find(12, 12, all), 0);
  t.equal(await find(13, 13, all), 1);
});

test('a reader that stays behind does not prevent submissions for ever', async (t) => {
  const { find } = scripted(null);
  const all = outstanding(10);
  t.equal(await find(14, 12, all), 0);
  t.equal(await find(15, 13, all), 0);
  t.equal(await find(16, 14, all), 1);
});

test('a transaction whose last ledger has closed while it waited is never handed over', async (t) => {
  const { server, submission, submitted } = scripted({ engineResult: 'tesSUCCESS' });
  const turn = Promise.withResolvers<void>();
  server.turn = turn.promise;
  await submission.send([signedAs('A', 1, 10), signedAs('B', 2, 11)], 10);
  server.tip = 18;
  turn.resolve();
  await nextTurn();
  t.strictSame(submitted, ['B'], 'A can be in no ledger after 18');
  t.equal(submission.wasApplied('A', 19), false);
});

test('a transaction that was settled or replaced while it waited is never handed over', async (t) => {
  const { server, submission, submitted } = scripted({ engineResult: 'tesSUCCESS' });
  const turn = Promise.withResolvers<void>();
  server.turn = turn.promise;
  await submission.send([signedAs('A', 1, 10), signedAs('B', 2, 10)], 10);
  await submission.resend(outstanding(10, 'B'), 11);
  turn.resolve();
  await nextTurn();
  t.strictSame(submitted, ['B']);
});

test('after a reset of the ledger, transactions of its lower ledgers are submitted', async (t) => {
  const { reach } = scripted({ engineResult: 'tesSUCCESS' });
  t.equal(await reach(100, 100, outstanding(100)), 1);
  t.equal(await reach(5, 5, outstanding(5, 'B')), 2);
});

test('a transaction counts as applied when a ledger has closed after its success', async (t) => {
  const { submission, reach } = scripted({ engineResult: 'tesSUCCESS' });
  t.equal(submission.wasApplied('A', 11), false);
  await reach(10, 10, outstanding(10));
  t.equal(submission.wasApplied('A', 10), false, 'its ledger is still open');
  t.equal(submission.wasApplied('A', 11), true);
});

test('what is submitted again before it is announced is submitted once', async (t) => {
  const { submission, submitted, find } = scripted({ engineResult: 'tesSUCCESS' });
  t.equal(await find(10, 10, outstanding(10)), 0);
  t.equal(await find(12, 12, outstanding(10)), 1);
  await submission.send([signedAs('A', 1, 10), signedAs('B', 2, 10)], 12);
  t.strictSame(submitted, ['A', 'B']);
});

test('what is found before it is announced is submitted at once when it is', async (t) => {
  const { submission, submitted, find } = scripted({ engineResult: 'tesSUCCESS' });
  t.equal(await find(10, 10, outstanding(10)), 0);
  await submission.send([signedAs('A', 1, 10)], 10);
  t.strictSame(submitted, ['A']);
  t.equal(await find(11, 11, outstanding(10)), 1);
});

test('signed ahead waits for a place, and a replacement has one', async (t) => {
  const { submission, submitted, server } = scripted({ engineResult: 'tesSUCCESS' });
  submission.fill(placesOf(1));
  await submission.send([signedAs('A', 1, 10), signedAs('B', 2, 10)], 10);
  t.strictSame(submitted, ['A']);
  t.equal(submission.isAhead('B'), true);
  server.room = 10;
  await nextTurn();
  t.equal(submission.room, 9, 'the one that waits will need it');
  await submission.send([{ ...signedAs('A2', 1, 10), replaces: 'A' }], 10);
  t.strictSame(submitted, ['A', 'A2']);
  await submission.send([{ ...signedAs('B2', 2, 10), replaces: 'B' }], 10);
  await nextTurn();
  t.equal(submission.room, 9, 'one waits still');
  submission.fill(placesOf(2));
  t.strictSame(submitted, ['A', 'A2', 'B2']);
  t.equal(submission.isAhead('B2'), false);
});

test('what was settled while it was ahead uses no place and no room', async (t) => {
  const { submission, submitted, server, find } = scripted({ engineResult: 'tesSUCCESS' });
  submission.fill(placesOf(0));
  const all = [signedAs('A', 1, 10), signedAs('B', 2, 10)];
  await submission.send(all, 10);
  server.room = 10;
  t.equal(submission.room, 8);
  await find(11, 11, outstanding(10, 'B'));
  t.equal(submission.room, 9);
  submission.fill(placesOf(1));
  t.strictSame(submitted, ['B']);
});

test('nothing is submitted uncovered, and all is due again after a failure', async (t) => {
  const covered: number[] = [];
  const storage = { isAway: true };
  const { submission, submitted, find } = scripted(
    { engineResult: 'tesSUCCESS' },
    {
      async cover(lastLedger) {
        if (storage.isAway) throw new Error('the storage is away');
        covered.push(lastLedger);
      },
    },
  );
  await submission.send([signedAs('A', 1, 10)], 10);
  await nextTurn();
  await t.rejects(submission.send([signedAs('B', 2, 11)], 10), { message: 'the storage is away' });
  t.strictSame(submitted, []);
  t.equal(submission.isAhead('A'), false, 'forgotten');
  storage.isAway = false;
  const all = new Map([...outstanding(10, 'A'), ...outstanding(11, 'B')]);
  await find(11, 11, all);
  t.strictSame(covered, [19]);
  t.strictSame(submitted, ['A', 'B']);
});

test('a transaction held at an invented ledger can be replaced at the next true one', async (t) => {
  const { server, submission, reach } = scripted({ engineResult: 'telCAN_NOT_QUEUE' });
  server.tip = 1_000_000;
  server.outruns = true;
  await submission.send([signedAs('A', 1, 10)], 10);
  submission.fill(placesOf(1));
  await nextTurn();
  server.outruns = false;
  await reach(11, 11, outstanding(10));
  t.ok(submission.isHeld('A', 11));
});

test('a ledger that makes other servers seem to lag makes nothing in the queue late', async (t) => {
  const { server, submission, submitted, reach } = scripted({ engineResult: 'tesSUCCESS' });
  await reach(10, 10, new Map());
  server.tip = 1_000_000;
  server.outruns = true;
  await submission.send([signedAs('A', 1, 10)], 10);
  submission.fill(placesOf(1));
  t.same(submitted, ['A']);
  server.outruns = false;
  await submission.send([signedAs('B', 2, 10)], 10);
  submission.fill(placesOf(1));
  t.same(submitted, ['A'], 'one that is late is left out');
});

test('while a submission has no answer, the transaction is not handed over again', async (t) => {
  const { server, reach } = scripted({ engineResult: 'tesSUCCESS' });
  const answers = Promise.withResolvers<void>();
  server.pause = answers.promise;
  const all = outstanding(10);
  t.equal(await reach(10, 10, all), 1);
  t.equal(await reach(12, 12, all), 1, 'it waits for its turn at a busy server');
  answers.resolve();
  await nextTurn();
  t.equal(await reach(13, 13, all), 1, 'the answer came at ledger 12');
  t.equal(await reach(14, 14, all), 2);
});

test('a transaction that is replaced before it was covered is never submitted', async (t) => {
  const storage = Promise.withResolvers<void>();
  const { submission, submitted } = scripted(
    { engineResult: 'tesSUCCESS' },
    { cover: () => storage.promise },
  );
  submission.fill(placesOf(2));
  await submission.send([signedAs('A', 1, 10)], 10);
  await submission.send([{ ...signedAs('A2', 1, 10), replaces: 'A' }], 10);
  await submission.send([signedAs('B', 2, 10)], 10);
  storage.resolve();
  await nextTurn();
  t.strictSame(submitted, ['A2', 'B']);
});

test('what a server has is not submitted again because a lock was lost for a moment', async (t) => {
  const { submission, reach, submitted } = scripted({ engineResult: 'tesSUCCESS' });
  const all = outstanding(10);
  t.equal(await reach(10, 10, all), 1);
  await submission.resend(new Map(), 11, all);
  t.equal(await reach(11, 11, all), 1);
  t.equal(await reach(12, 12, all), 2);
  submission.fill(placesOf(0));
  await submission.send([signedAs('B', 2, 12)], 12);
  const both = new Map([...all, ...outstanding(12, 'B')]);
  await submission.resend(new Map(), 12, both);
  submission.fill(placesOf(2));
  t.strictSame(submitted, ['A', 'A'], 'one signed under a lost lock waits for the comparison');
  await submission.resend(both, 12);
  submission.fill(placesOf(2));
  t.strictSame(submitted, ['A', 'A', 'B']);
});

test('a transaction whose fate a read ledger decides is not handed over', async (t) => {
  const decided = new Set(['A']);
  const { reach } = scripted(
    { engineResult: 'tesSUCCESS' },
    { isDecided: (hash) => decided.has(hash) },
  );
  const all = outstanding(10);
  t.equal(await reach(10, 10, all), 0);
  decided.clear();
  t.equal(await reach(12, 12, all), 1);
});

test('nothing is submitted from an account while its lock is lost, also without a resend', async (t) => {
  const lock = { isHeld: true };
  const turn = Promise.withResolvers<void>();
  const { submission, submitted, server, find } = scripted(
    { engineResult: 'tesSUCCESS' },
    { maySubmit: () => lock.isHeld },
  );
  server.turn = turn.promise;
  submission.fill(placesOf(1));
  await submission.send([signedAs('A', 1, 10), signedAs('B', 2, 10)], 10);
  lock.isHeld = false;
  turn.resolve();
  submission.fill(placesOf(2));
  await nextTurn();
  t.strictSame(submitted, []);
  lock.isHeld = true;
  server.turn = atOnce;
  const both = new Map([...outstanding(10, 'A'), ...outstanding(10, 'B')]);
  t.equal(await find(12, 12, both), 2);
});

test('under a lost lock nothing that waits is submitted', async (t) => {
  const storage = Promise.withResolvers<void>();
  const uncovered = scripted({ engineResult: 'tesSUCCESS' }, { cover: () => storage.promise });
  await uncovered.submission.send([signedAs('A', 1, 10)], 10);
  await uncovered.submission.resend(new Map(), 10, outstanding(10));
  storage.resolve();
  await nextTurn();
  t.strictSame(uncovered.submitted, []);

  const answers = Promise.withResolvers<void>();
  const queued = scripted({ engineResult: 'tesSUCCESS' });
  queued.server.pause = answers.promise;
  const hashes = Array.from({ length: 1_000 }, (_, index) => `Q${index}`);
  const all = new Map(hashes.flatMap((hash) => [...outstanding(10, hash)]));
  const handedOver = await queued.reach(10, 10, all);
  t.ok(handedOver < 100, 'rippled closes a connection with more unsent answers');
  await queued.submission.resend(new Map(), 10, all);
  answers.resolve();
  await nextTurn();
  t.equal(queued.submitted.length, handedOver);

  const two = scripted({ engineResult: 'tesSUCCESS' });
  two.server.pause = Promise.withResolvers<void>().promise;
  two.server.servers = 2;
  t.equal(await two.reach(10, 10, all), 2 * handedOver, 'twice as many for two servers');

  const turn = Promise.withResolvers<void>();
  const waiting = scripted({ engineResult: 'tesSUCCESS' });
  waiting.server.turn = turn.promise;
  await waiting.reach(10, 10, outstanding(10));
  await waiting.submission.resend(new Map(), 10, outstanding(10));
  turn.resolve();
  await nextTurn();
  t.strictSame(waiting.submitted, [], 'its turn at the server came too late');
  waiting.server.turn = atOnce;
  t.equal(await waiting.find(11, 11, outstanding(10)), 1);
  t.strictSame(waiting.earlierOnes, [0], 'the preferred server gets the first one that is sent');
});
