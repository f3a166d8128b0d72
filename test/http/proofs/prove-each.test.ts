import { test } from 'tap';
import type { ProofOrder } from '../../../src/commands/request-proof.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { StoreUnavailable } from '../../../src/event-store/connection-loss.ts';
import { proveEach } from '../../../src/http/proofs/prove-each.ts';

const orderOf = (fileHash: string) => ({ fileHash }) as unknown as ProofOrder;
const orders = (count: number) => Array.from({ length: count }, (_, at) => orderOf(`${at}`));
const replyTo = (error: unknown) => ({ status: 500, body: { error } });
const reply = (order: ProofOrder) => ({ status: 200, body: order });

test('the waits of one round do not keep the next one from being requested', async (t) => {
  const requested: ProofOrder[] = [];
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  const proving = proveEach(
    orders(600),
    async (order) => {
      requested.push(order);
      if (requested.length === 600) settle();
      return async () => {
        await settled;
        return reply(order);
      };
    },
    replyTo,
  );
  t.strictSame(await proving, orders(600).map(reply));
});

test('equal hashes are requested after the first one is recorded, and only that one', async (t) => {
  const events: string[] = [];
  const [one, other] = [orderOf('one'), orderOf('other')];
  await proveEach(
    [one, one, other, one],
    async ({ fileHash }) => {
      events.push(`begin ${fileHash}`);
      await Promise.resolve();
      events.push(`recorded ${fileHash}`);
      return async () => reply(one);
    },
    replyTo,
  );
  t.strictSame(events, [
    ...['begin one', 'begin other', 'recorded one', 'recorded other'],
    ...['begin one', 'begin one', 'recorded one', 'recorded one'],
  ]);
});

test('once the store is unavailable, the hashes of later rounds are not tried', async (t) => {
  const error = new StoreUnavailable();
  let tried = 0;
  const replies = await proveEach(
    orders(1_000),
    async () => {
      tried += 1;
      throw error;
    },
    replyTo,
  );
  t.strictSame(
    replies,
    orders(1_000).map(() => replyTo(error)),
  );
  t.equal(tried, 250);
});

test('refusals and failed waits are replies in their places', async (t) => {
  const refusal = new Refusal('INVALID_HASH', 'hash: is missing');
  const failure = new Error('the wait failed');
  const [one, other] = [orderOf('one'), orderOf('other')];
  const replies = await proveEach(
    [refusal, one, other],
    async (order) => async () => {
      if (order === one) throw failure;
      return reply(order);
    },
    replyTo,
  );
  t.strictSame(replies, [replyTo(refusal), replyTo(failure), reply(other)]);
});
