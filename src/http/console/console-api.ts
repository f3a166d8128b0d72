import { callAsKey, callInside, type RouteInput } from '../calls/call-inside.ts';
import type { RunDeps } from '../calls/run-route.ts';
import { limitKey, limitPerson } from '../limits/limit-calls.ts';
import type { Reply } from '../reply.ts';
import type { ApiRoutes } from '../rooms/bind-routes.ts';
import type { Route } from '../route.ts';
import type { ViewRequest } from './console-route.ts';
import { callForPerson } from './prove/call-for-person.ts';
import { personCaller } from './prove/person-caller.ts';
import { type UploadRequest, uploadForPerson } from './prove/upload-for-person.ts';

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
  /** As `countedReply`, for scripts of an owner's page: a large answer has a share of the memory. */
  prove(request: Asking, route: Route, input: RouteInput): Promise<Reply>;
  /** Uploads the file of the request by the route, as an owner. */
  upload(request: UploadRequest, route: Route): Promise<Reply>;
}

/** For pages that call routes of the API. */
export interface ApiDeps {
  readonly consoleApi: ConsoleApi;
}

interface Deps {
  readonly run: RunDeps;
  readonly api: ApiRoutes;
}

/** Calls the routes of `api`. */
export function createConsoleApi({ run, api }: Deps): ConsoleApi {
  const { limits, authentication } = run;
  const reply: ConsoleApi['reply'] = async ({ ctx, viewer, meta }, route, input = {}) => {
    const limit = (weight: { readonly cost: number; readonly paid?: number }) =>
      limitPerson(ctx, limits, viewer.person.personId, weight);
    const caller = await personCaller(authentication, viewer);
    const limitItems = async () => {
      await limit({ cost: 1 });
      return async () => {};
    };
    const call = { ctx, meta, caller, limit, limitItems };
    const { id, ...rest } = input;
    const bound = api(route, id === undefined ? undefined : () => id);
    return callInside(bound, run, call, rest);
  };
  return {
    reply,
    countedReply: async ({ ctx, viewer, meta }, route, input = {}) => {
      const caller = await personCaller(authentication, viewer);
      await limitKey(ctx, limits, caller);
      return callAsKey(api(route), run, { ctx, meta, caller }, input);
    },
    ask: async <Answer>(request: Asking, route: Route, input?: ApiInput) => {
      const { body } = await reply(request, route, input);
      if (body instanceof Uint8Array) return JSON.parse(new TextDecoder().decode(body)) as Answer;
      return body as Answer;
    },
    prove: (request, route, input) => callForPerson(api(route), run, request, input),
    upload: (request, route) => uploadForPerson(api(route), run, request),
  };
}
