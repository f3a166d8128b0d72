import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'tap';
import { Slots } from '../../src/storage/slots.ts';
import { newOrganisationId } from '../support/blobs.ts';

const one = newOrganisationId();
const other = newOrganisationId();

test('limits concurrent work, and starts waiting work in order', async (t) => {
  const slots = new Slots(2, 10_000);
  const order: number[] = [];
  let running = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      slots.run(one, async () => {
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

test('organisations take turns, even if one of them has many waiting', async (t) => {
  const slots = new Slots(1, 10_000);
  const order: string[] = [];
  const put = (organisationId: typeof one, name: string) =>
    slots.run(organisationId, async () => {
      order.push(name);
      await new Promise(setImmediate);
    });
  const many = Array.from({ length: 10 }, (_, i) => put(one, `one ${i}`));
  await Promise.all([...many, put(other, 'other')]);
  t.ok(order.indexOf('other') <= 2, order.join());
});

test('work waits longer than the limit while the queue moves', async (t) => {
  const slots = new Slots(1, 1_000);
  const begun = performance.now();
  const ends = Array.from({ length: 60 }, () => slots.run(one, () => delay(20)));
  await Promise.all(ends);
  t.ok(performance.now() - begun > 1_100);
});

test('work whose turn does not come is rejected, and never starts later', async (t) => {
  const slots = new Slots(1, 50);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = slots.run(one, () => promise);
  const refused = [one, other].map((organisationId) =>
    t.rejects(
      slots.run(organisationId, async () => t.fail('its turn came')),
      { name: 'StorageUnavailable' },
    ),
  );
  await Promise.all(refused);
  resolve();
  await first;
  t.equal(await slots.run(one, async () => 'next'), 'next');
});

test('a queue in which all work fails counts as standing still', async (t) => {
  const slots = new Slots(1, 100);
  const failures = Array.from({ length: 20 }, () =>
    slots.run(one, async () => {
      await delay(40);
      throw new Error('failed');
    }),
  );
  const names = (await Promise.allSettled(failures)).map((outcome) =>
    outcome.status === 'rejected' ? String(outcome.reason.name) : 'done',
  );
  t.ok(names.filter((name) => name === 'StorageUnavailable').length > 10, names.join());
});

test('a failure frees its slot', async (t) => {
  const slots = new Slots(1, 1_000);
  await t.rejects(
    slots.run(one, async () => {
      throw new Error('failed');
    }),
  );
  t.equal(await slots.run(one, async () => 'next'), 'next');
});
