import type { Socket } from 'node:net';
import { test } from 'tap';
import { createTurns } from '../../../src/event-store/handling/turns.ts';
import { answerOffloaded } from '../../../src/http/calls/answer-offloaded.ts';
import { countCall } from '../../../src/http/calls/count-call.ts';
import { CostsMore } from '../../../src/http/offload/costs-more.ts';
import type { CallOrder } from '../../../src/http/offload/offload.ts';

type Answering = Parameters<typeof answerOffloaded>;

/** Answers a call whose costs, one for each attempt on the thread, are given. */
async function answer(costs: readonly number[], limit: (cost: number) => void = () => {}) {
  const charged: number[] = [];
  const counting = {
    limit: async ({ cost, paid = 0 }: { readonly cost: number; readonly paid?: number }) => {
      limit(cost);
      charged.push(cost - paid);
    },
    limitItems: () => Promise.reject(new Error('counts no items')),
  };
  const left = [...costs];
  const offload = {
    handle: async ({ paid }: CallOrder) => {
      const cost = left.shift() ?? 0;
      if (cost > paid) throw new CostsMore(cost);
      return { status: 200, body: {} };
    },
  };
  const counted = await countCall(counting, { cost: 1 });
  const deps = {
    ...{ offload, turns: createTurns(), network: 'testnet', shares: null },
    publicUrl: () => 'http://localhost',
  };
  const call = { ...counted, caller: { organisationId: 'one' }, requestId: 'one', meta: {} };
  const reply = await answerOffloaded(
    { operationId: 'getAgentRun' } as unknown as Answering[0],
    deps as unknown as Answering[1],
    { res: { socket: null as Socket | null } } as unknown as Answering[2],
    call as unknown as Answering[3],
  );
  return { status: reply.status, charged };
}

test('charges a call whose cost grows between its attempts for the difference', async (t) => {
  t.strictSame(await answer([1]), { status: 200, charged: [1] });
  t.strictSame(await answer([2, 2]), { status: 200, charged: [1, 1] });
  t.strictSame(await answer([2, 3, 5, 5]), { status: 200, charged: [1, 1, 1, 2] });
});

test('ends a call whose cost grows beyond the limit', async (t) => {
  const limit = (cost: number) => {
    if (cost > 3) throw new Error('the limit is reached');
  };
  await t.rejects(answer([2, 3, 4, 5], limit), { message: 'the limit is reached' });
});
