import { test } from 'tap';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { createReadCoalescer } from '../../src/event-store/read-coalescer.ts';

/** A reader that answers on demand with the number of reads so far. */
function heldReader(fault: (keys: readonly string[]) => Error | null = () => null) {
  const reads: (readonly string[])[] = [];
  const answers: (() => void)[] = [];
  const read = createReadCoalescer((keys: readonly string[]) => {
    reads.push(keys);
    const number = reads.length;
    return new Promise<ReadonlyMap<string, number>>((resolve, reject) => {
      const error = fault(keys);
      answers.push(() =>
        error ? reject(error) : resolve(new Map(keys.map((key) => [key, number]))),
      );
    });
  });
  return { reads, answers, read };
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};

test('concurrent reads are sent together, each key once', async (t) => {
  const { reads, answers, read } = heldReader();
  const all = [read(['a']), read(['b', 'c']), read(['a'])];
  await turns(2);
  t.strictSame(reads, [['a', 'b', 'c']]);
  answers[0]?.();
  for (const found of await Promise.all(all)) t.equal(found.size, 3);
});

test('a read requested while another is under way is sent separately', async (t) => {
  const { reads, answers, read } = heldReader();
  const first = read(['a']);
  await turns(2);
  const second = read(['a']);
  await turns(2);
  t.strictSame(reads, [['a'], ['a']]);
  for (const answer of answers) answer();
  t.equal((await first).get('a'), 1);
  t.equal((await second).get('a'), 2);
});

test('while four reads are under way, the others wait and are sent together', async (t) => {
  const { reads, answers, read } = heldReader();
  const all: Promise<unknown>[] = [];
  for (let number = 0; number < 8; number += 1) {
    all.push(read([`key ${number}`]));
    await turns(2);
  }
  t.equal(reads.length, 4);
  answers[0]?.();
  await turns(2);
  t.strictSame(reads[4], ['key 4', 'key 5', 'key 6', 'key 7']);
  for (const answer of answers) answer();
  await Promise.all(all);
});

test('the keys of one call are read in one query, however many they are', async (t) => {
  const { reads, answers, read } = heldReader();
  const many = (name: string, count: number) =>
    Array.from({ length: count }, (_, place) => `${name} ${place}`);
  const all = [read(many('a', 400)), read(many('b', 400)), read(many('c', 900))];
  for (let round = 0; round < 3; round += 1) {
    await turns(2);
    answers[round]?.();
  }
  await Promise.all(all);
  t.strictSame(
    reads.map(({ length }) => length),
    [400, 400, 900],
  );
});

test('when a shared read fails, only the call at fault rejects', async (t) => {
  const refused = new Error('not that one');
  const found = createReadCoalescer(async (keys: readonly string[]) => {
    if (keys.includes('bad')) throw refused;
    return new Map(keys.map((key) => [key, key]));
  });
  const outcomes = await Promise.allSettled([found(['good']), found(['bad']), found(['fine'])]);
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('when the database is unreachable all reads reject, without single retries', async (t) => {
  let reads = 0;
  const read = createReadCoalescer(async () => {
    reads += 1;
    throw new StoreUnavailable();
  });
  const outcomes = await Promise.allSettled([read(['a']), read(['b'])]);
  t.ok(outcomes.every(({ status }) => status === 'rejected'));
  t.equal(reads, 1);
  await t.rejects(read(['c']), StoreUnavailable, 'a later read is tried again');
});
