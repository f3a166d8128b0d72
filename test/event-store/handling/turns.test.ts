import { test } from 'tap';
import { Unavailable } from '../../../src/errors/unavailable.ts';
import { StoreUnavailable } from '../../../src/event-store/connection-loss.ts';
import { createTurns } from '../../../src/event-store/handling/turns.ts';

test('work on one key runs one after another, on different keys concurrently', async (t) => {
  const turns = createTurns();
  const log: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, until?: Promise<void>) => async () => {
    log.push(`${name} begins`);
    await until;
    log.push(`${name} ends`);
    return name;
  };
  const a1 = turns.take('a', work('a1', first.promise));
  const a2 = turns.take('a', work('a2'));
  t.equal(await turns.take('b', work('b1')), 'b1');
  t.strictSame(log, ['a1 begins', 'b1 begins', 'b1 ends']);
  first.resolve();
  t.strictSame(await Promise.all([a1, a2]), ['a1', 'a2']);
  t.strictSame(log.slice(3), ['a1 ends', 'a2 begins', 'a2 ends']);
});

test('failed work does not block the next', async (t) => {
  const turns = createTurns();
  const failed = turns.take('a', () => Promise.reject(new Error('refused')));
  const next = turns.take('a', async () => 'done');
  await t.rejects(failed, { message: 'refused' });
  t.equal(await next, 'done');
});

for (const [what, error] of [
  ['the store', new StoreUnavailable()],
  ['something outside', new Unavailable('SERVICE_UNAVAILABLE', 'later', 'it is away')],
] as const) {
  test(`when ${what} is away all waiting work rejects at once, and later work tries again`, async (t) => {
    const turns = createTurns();
    let begun = 0;
    const begin = async () => {
      begun += 1;
    };
    const away = turns.take('a', () => Promise.reject(error));
    const waiting = [1, 2].map(() => turns.take('a', begin));
    for (const one of [away, ...waiting]) await t.rejects(one, error);
    t.equal(begun, 0);
    await turns.take('a', begin);
    t.equal(begun, 1);
  });
}

test('a caller that waits too long is rejected, and its work never starts', async (t) => {
  const turns = createTurns();
  const first = Promise.withResolvers<void>();
  const begun: string[] = [];
  const work = (name: string) => async () => {
    begun.push(name);
    return name;
  };
  const patience = { ms: 20, late: () => new Error('too late') };
  const inHand = turns.take('a', () => first.promise);
  const impatient = turns.take('a', work('impatient'), patience);
  const next = turns.take('a', work('next'), { ...patience, ms: 60_000 });
  await t.rejects(impatient, { message: 'too late' });
  first.resolve();
  await inHand;
  t.equal(await next, 'next');
  t.strictSame(begun, ['next']);
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    return 'done';
  };
  t.equal(await turns.take('a', slow, patience), 'done', 'work that has begun may take longer');
});
