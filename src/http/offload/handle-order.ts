import { parseBody } from '../receiving/body.ts';
import type { Reply } from '../reply.ts';
import { withinWait } from '../within-wait.ts';
import { CostsMore } from './costs-more.ts';
import type { BodyOrder, CallOrder } from './offload.ts';
import type { OffloadedDeps } from './offloaded-deps.ts';
import { offloadedRoutes } from './offloaded-routes.ts';

/** Handles a call on this thread: parses its body and runs its route. */
export async function handleOrder(
  { operationId, bytes, paid, ...call }: CallOrder,
  deps: OffloadedDeps,
): Promise<Reply> {
  const route = offloadedRoutes.find((each) => each.operationId === operationId);
  if (route === undefined) throw new TypeError(`${operationId} is no offloaded route`);
  const { body: input } = route;
  const body = input && bytes && parseBody(input, bytes);
  const weigh = async (cost: number) => {
    if (cost > paid) throw new CostsMore(cost);
  };
  return withinWait(route.handle({ ...call, body, weigh }, deps), deps);
}

/** Parses a body on this thread. */
export async function parseOrder({ operationId, bytes }: BodyOrder): Promise<unknown> {
  // Loaded on demand: bodies other than runs are hardly ever large.
  const { keyedRoutes } = await import('../routes.ts');
  const route = keyedRoutes.find((each) => each.operationId === operationId);
  if (route === undefined || !('body' in route) || route.body === undefined) {
    throw new TypeError(`${operationId} takes no JSON`);
  }
  return parseBody(route.body, bytes);
}
