import { setTimeout as delay } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { createWorkerPool, type WorkerPoolOptions } from '../../src/threads/worker-pool.ts';
import { newOrganisationId } from '../support/blobs.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import type { TestAnswer, TestOrder } from '../support/ordered-thread.ts';

const [one, other] = [newOrganisationId(), newOrganisationId()];

class Refused extends Error {
  override name = 'Refused';
}

function pool(t: Pick<Test, 'teardown'>, options: Partial<WorkerPoolOptions> = {}) {
  const made = createWorkerPool<TestOrder, TestAnswer>({
    thread: new URL('../support/ordered-thread.ts', import.meta.url),
    ...{ threads: 1, maxWaiting: 100, timeoutMs: 60_000 },
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    unavailable: (reason, cause) => new Refused(reason, cause),
    ...options,
  });
  t.teardown(() => made.close());
  return made;
}

/** An order that occupies its thread until the gate is opened. */
function gated(name: string) {
  const gate = new SharedArrayBuffer(4);
  const open = () => {
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
  };
  return { order: { do: 'wait', name, gate } as const, open };
}

const answer = (name: string): TestOrder => ({ do: 'answer', name });

test('organisations take turns, even if one of them has many waiting orders', async (t) => {
  const { run } = pool(t);
  const first = gated('first');
  const done: string[] = [];
  const orders = [
    run(one, first.order),
    ...['a1', 'a2', 'a3'].map((name) => run(one, answer(name))),
    run(other, answer('b1')),
  ];
  for (const order of orders) order.then(({ name }) => done.push(name));
  first.open();
  await Promise.all(orders);
  t.strictSame(done, ['first', 'a1', 'b1', 'a2', 'a3']);
});

test('the number of waiting orders is limited per organisation', async (t) => {
  const { run } = pool(t, { maxWaiting: 1 });
  const first = gated('first');
  const orders = [run(one, first.order), run(one, answer('second')), run(other, answer('b'))];
  await t.rejects(run(one, answer('third')), { name: 'Refused' });
  first.open();
  await t.resolves(Promise.all(orders));
});

test('orders are spread over threads, and use a running one while others start', async (t) => {
  const { run } = pool(t, { threads: 2, ordersPerThread: 2 });
  const { threadId: first } = await run(one, answer('the only one'));
  const gates = ['a', 'b', 'c', 'd'].map(gated);
  const [a, b, c, d] = gates.map(({ order }) => run(newOrganisationId(), order));
  const last = run(one, answer('e'));
  for (const { open } of gates) open();
  t.strictSame(
    [(await a)?.threadId, (await b)?.threadId],
    [first, first],
    'the running thread takes as many as it can',
  );
  const { threadId: second } = (await c) as TestAnswer;
  t.not(second, first);
  t.equal((await d)?.threadId, second);
  t.equal((await last).name, 'e');
  const [idle, busy] = [gated('f'), gated('g')];
  const both = [run(one, idle.order), run(other, busy.order)];
  idle.open();
  busy.open();
  const used = (await Promise.all(both)).map(({ threadId }) => threadId);
  t.strictSame(new Set(used), new Set([first, second]), 'two running threads share the orders');
});

test('an order avoids a thread that computes', async (t) => {
  const { run } = pool(t, { threads: 2, ordersPerThread: 4 });
  const [first, second] = [gated('first'), gated('second')];
  const both = [run(one, first.order), run(other, second.order)];
  first.open();
  second.open();
  await Promise.all(both);
  const [computing, brief] = [gated('computing'), gated('brief')];
  const long = run(one, { ...computing.order, do: 'block' });
  const short = run(other, brief.order);
  for (const name of ['a', 'b']) t.equal((await run(other, answer(name))).name, name);
  computing.open();
  brief.open();
  await Promise.all([long, short]);
});

test('an error thrown in a thread is rethrown, and the thread goes on', async (t) => {
  const { run } = pool(t);
  await t.rejects(run(one, { do: 'throw' }), { name: 'RangeError', message: 'thrown on order' });
  t.equal((await run(one, answer('next'))).name, 'next');
});

test('rejects a job that killed two threads', async (t) => {
  const { run } = pool(t);
  const deadly = run(one, { do: 'die' });
  const next = run(other, answer('next'));
  await t.rejects(deadly, { name: 'Refused', message: 'its thread died' });
  t.equal((await next).name, 'next');
});

test('an order that takes too long ends its thread, and the other orders there are repeated', async (t) => {
  const { run } = pool(t, { ordersPerThread: 2, timeoutMs: 5_000 });
  const beside = gated('beside');
  beside.open();
  const hanging = run(one, { do: 'hang' });
  const waiting = run(other, beside.order);
  await t.rejects(hanging, { name: 'Refused', message: 'not done within 5000 ms' });
  t.equal((await waiting).name, 'beside');
});

test('the duration of an order does not include the loading of its thread', async (t) => {
  const loading = gated('loading');
  const workerData = { loading: loading.order.gate };
  const timeoutMs = await onThisMachine(5_000);
  const { run } = pool(t, { workerData, timeoutMs });
  const slow = gated('slow');
  const answered = run(one, slow.order);
  // Together longer than the timeout. A busy machine has more than half of it for the order.
  await delay(timeoutMs * 0.8);
  loading.open();
  await delay(timeoutMs * 0.4);
  slow.open();
  t.equal((await answered).name, 'slow');
});

test('an order with transferred parts is not repeated', async (t) => {
  const { run } = pool(t);
  const bytes = new Uint8Array(1_000);
  const order: TestOrder = { do: 'measure', bytes };
  t.equal((await run(one, order, [bytes.buffer])).name, '1000');
  t.equal(bytes.length, 0);
  const deadly = { do: 'die', bytes: new Uint8Array(1) } as const;
  await t.rejects(run(one, deadly, [deadly.bytes.buffer]), {
    name: 'Refused',
    message: 'its thread died',
  });
});

test('closing refuses waiting, current and later orders', async (t) => {
  const { run, close } = pool(t);
  const refused = [run(one, gated('first').order), run(one, answer('second'))].map((order) =>
    t.rejects(order, { name: 'Refused' }),
  );
  await close();
  await Promise.all(refused);
  await t.rejects(run(one, answer('third')), { name: 'Refused' });
});

test('an order that waits too long is refused and never carried out', async (t) => {
  const { run } = pool(t, { waitMs: 50 });
  const first = gated('first');
  const inHand = run(one, first.order);
  await t.rejects(run(one, { do: 'die' }), { name: 'Refused', message: 'not begun within 50 ms' });
  first.open();
  const { threadId } = await inHand;
  t.match(await run(one, answer('next')), { name: 'next', threadId });
});

test('a repeated order has a thread to itself, so a deadly one does not affect it', async (t) => {
  const deaths: unknown[] = [];
  const { run } = pool(t, {
    ...{ threads: 2, ordersPerThread: 4, onDeath: (cause) => deaths.push(cause) },
  });
  const held = gated('held');
  const orders = [run(one, held.order), run(one, held.order)];
  const innocent = Array.from({ length: 3 }, (_, n) => run(other, { ...held.order, name: `${n}` }));
  const deadly = t.rejects(run(one, { do: 'die' }), { name: 'Refused' });
  held.open();
  await deadly;
  await t.resolves(Promise.all([...orders, ...innocent]));
  t.equal(deaths.length, 2);
});

test('an order or error that cannot be copied between threads fails alone', async (t) => {
  const { run } = pool(t);
  const uncopied = { do: 'answer', name: 'x', more: () => {} } as const;
  await t.rejects(run(one, uncopied), { name: 'DataCloneError' });
  await t.rejects(run(one, { do: 'throw what cannot be copied' }), /RangeError: thrown on order/);
  t.match(await run(one, answer('next')), { name: 'next' });
});
