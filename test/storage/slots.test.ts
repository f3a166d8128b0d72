import { test } from 'tap';
import { Slots } from '../../src/storage/slots.ts';

test('so many at once, the others in their order', async (t) => {
  const slots = new Slots(2, 10_000);
  const order: number[] = [];
  let running = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      slots.run(async () => {
        running += 1;
        t.ok(running <= 2);
        order.push(i);
        await new Promise(setImmediate);
        running -= 1;
      }),
    ),
  );
  t.strictSame(
    order,
    [...order].sort((a, b) => a - b),
  );
  t.equal(order.length, 20);
});

test('one whose turn does not come is told, and takes no turn later', async (t) => {
  const slots = new Slots(1, 50);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = slots.run(() => promise);
  await t.rejects(
    slots.run(async () => t.fail('its turn came')),
    { name: 'StorageUnavailable' },
  );
  resolve();
  await first;
  t.equal(await slots.run(async () => 'next'), 'next');
});

test('a failure frees its slot', async (t) => {
  const slots = new Slots(1, 1_000);
  await t.rejects(
    slots.run(async () => {
      throw new Error('failed');
    }),
  );
  t.equal(await slots.run(async () => 'next'), 'next');
});
