import { callAsKey, callInside, type RouteInput } from '../calls/call-inside.ts';
import type { RunDeps } from '../calls/run-route.ts';
import { limitKey, limitPerson } from '../limits/limit-calls.ts';
import type { Reply } from '../reply.ts';
import type { Route } from '../route.ts';
import type { ViewRequest } from './console-route.ts';
import { personCaller } from './prove/person-caller.ts';

type Asking = Pick<ViewRequest, 'ctx' | 'viewer' | 'meta'>;

interface ApiInput extends RouteInput {
  /** Id of what the call creates; a new one by default. */
  readonly id?: string;
}

/**
 * Calls routes of the API for people, who must have the role for it and pay what a call costs. All
 * calls reject as the route does.
 */
export interface ConsoleApi {
  /** Returns JSON. `Answer` is its form, which tests of the API compare with its schema. */
  ask<Answer>(request: Asking, route: Route, input?: ApiInput): Promise<Answer>;
  /** Returns the answer itself, such as a file. */
  reply(request: Asking, route: Route, input?: ApiInput): Promise<Reply>;
  /**
   * As `reply`. The call counts as that of a key does, for the person and for the organisation. Also
   * rejects with `RateLimitExceeded`.
   */
  countedReply(request: Asking, route: Route, input?: RouteInput): Promise<Reply>;
}

/** For pages that call routes of the API. */
export interface ApiDeps {
  readonly consoleApi: ConsoleApi;
}

type Deps = RunDeps & Parameters<typeof personCaller>[0] & { readonly newId: () => string };

/** `deps` has the dependencies of every route of the API. */
export function createConsoleApi(deps: Deps): ConsoleApi {
  const reply: ConsoleApi['reply'] = async ({ ctx, viewer, meta }, route, input = {}) => {
    const limit = (weight: { readonly cost: number; readonly paid?: number }) =>
      limitPerson(ctx, deps, viewer.person.personId, weight);
    const caller = await personCaller(deps, viewer);
    const limitItems = async () => {
      await limit({ cost: 1 });
      return async () => {};
    };
    const call = { ctx, meta, caller, limit, limitItems };
    const { id, ...rest } = input;
    const given = id === undefined ? deps : { ...deps, newId: () => id };
    // Routes declare what they use; the list of routes compiles only if they are given all of it.
    return callInside(route as Route<Deps>, given, call, rest);
  };
  return {
    reply,
    countedReply: async ({ ctx, viewer, meta }, route, input = {}) => {
      const caller = await personCaller(deps, viewer);
      await limitKey(ctx, deps, caller);
      return callAsKey(route as Route<Deps>, deps, { ctx, meta, caller }, input);
    },
    ask: async <Answer>(request: Asking, route: Route, input?: ApiInput) => {
      const { body } = await reply(request, route, input);
      if (body instanceof Uint8Array) return JSON.parse(new TextDecoder().decode(body)) as Answer;
      return body as Answer;
    },
  };
}
