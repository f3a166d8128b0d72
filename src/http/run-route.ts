import type { RouterContext } from '@koa/router';
import { Refusal } from '../domain/refusal.ts';
import { authenticate, permit } from './authentication.ts';
import { readJsonObject } from './body.ts';
import { type Input, parseInput } from './input.ts';
import { isDecodable } from './no-route.ts';
import { type Reply, writeReply } from './reply.ts';
import type { RequestState } from './request-state.ts';
import type { Call, Route } from './route.ts';
import type { RouteDeps } from './route-deps.ts';

/**
 * Runs a route: key, standing, scope, then input, then the operation. Nothing of the input, not even
 * its size, is looked at before the caller is known to be permitted.
 */
export function runRoute(route: Route, deps: RouteDeps, base: string) {
  return async (ctx: RouterContext<RequestState>): Promise<void> => {
    ctx.state.route = `${base}${route.path}`;
    writeReply(ctx, await answer(route, deps, base, ctx));
  };
}

async function answer(
  route: Route,
  deps: RouteDeps,
  base: string,
  ctx: RouterContext<RequestState>,
): Promise<Reply> {
  if (route.scope === null) return route.handle(await readCall(route, base, ctx), deps);
  const caller = await authenticate(deps, ctx.req.headers.authorization);
  ctx.state.caller = caller;
  permit(caller, route.scope);
  // The key's request limits (429) are checked here.
  return route.handle({ ...(await readCall(route, base, ctx)), caller }, deps);
}

async function readCall(
  route: Route,
  base: string,
  ctx: RouterContext<RequestState>,
): Promise<Call<unknown, unknown, unknown>> {
  const params = parse(route.params, ctx.params);
  if (!isDecodable(ctx.path)) {
    throw new Refusal('INVALID_REQUEST', 'the path is not valid percent-encoding');
  }
  const query = parse(route.query, ctx.query);
  const body = route.body && parseInput(route.body, await readJsonObject(ctx.req));
  const { requestId } = ctx.state;
  return { params, query, body, headers: ctx.req.headers, requestId, base };
}

function parse(input: Input<unknown> | undefined, raw: unknown): unknown {
  return input === undefined ? undefined : parseInput(input, raw);
}
