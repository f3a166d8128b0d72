import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { KeyAccess } from '../../projections/access/query.ts';
import type { Scope } from '../domain/key/scope.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { StagedBlob } from '../storage/contract.ts';
import type { CallCost } from './call-cost.ts';
import type { Input } from './input.ts';
import type { OffloadedCall, OffloadedDeps } from './offload/offload.ts';
import type { RequestHeader, ResponseHeader } from './openapi/headers.ts';
import type { Tag } from './openapi/tags.ts';
import type { Reply } from './reply.ts';
import type { RouteDeps } from './route-deps.ts';

/** One call, its input checked. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** The base under which the route was called, such as `/api/v1`; empty for open routes. */
  readonly base: string;
}

export interface KeyedCall<Params, Query, Body> extends Call<Params, Query, Body> {
  readonly caller: KeyAccess;
  /** Requests that the call counted as when it was admitted. */
  readonly paid: number;
  /**
   * Raises the cost of the call, before it does the work that costs as much. Rejects with
   * `RateLimitExceeded`, and counts nothing more, if too few requests remain.
   */
  readonly weigh: (cost: number) => Promise<void>;
}

/** An answer as it is documented: JSON, other bytes, or nothing but headers. */
export type ResponseSpec = JsonResponse | BytesResponse | EmptyResponse;

interface Described {
  readonly description: string;
  /** Besides those that answers of every route have. */
  readonly headers?: readonly ResponseHeader[];
}

export interface JsonResponse extends Described {
  readonly schema: z.ZodType;
  /** As the schema has it. */
  readonly example: object;
}

export interface BytesResponse extends Described {
  readonly mediaType: string;
  /** How they begin. */
  readonly example: string;
}

export interface EmptyResponse extends Described {
  readonly empty: true;
}

/** A JSON body. */
export interface BodyInput<Body> extends Input<Body> {
  /** A body as callers send it. */
  readonly example: object;
  /** Default 1 MB; where it is given, the body may arrive as slowly as an upload. */
  readonly maxBytes?: number;
  /** Whether what `JSON.parse` would change is refused (`findInexact`); by default it is not. */
  readonly exactly?: boolean;
}

/** A form: the fields beside its file. */
export interface FormInput<Body> extends Input<Body> {
  /** The fields as callers send them. */
  readonly example: object;
}

interface RouteSpec<Params, Query, Body> {
  /** Unique, in camel case: what generated clients call it. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters, `*name` for the rest of the path; keyed routes below each base, open ones from the root. */
  readonly path: string;
  readonly summary: string;
  /** What more there is to know, in Markdown. */
  readonly description?: string;
  /** Headers that it looks at, besides `Authorization`. */
  readonly headers?: readonly RequestHeader[];
  readonly params?: Input<Params>;
  readonly query?: Input<Query>;
  readonly body?: BodyInput<Body>;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Codes that this route itself answers with, besides those common to all. */
  readonly refusals: readonly RefusalCode[];
}

/** An endpoint that needs a key with the scope. All of it but `handle` is data. */
export interface KeyedRoute<Params = unknown, Query = unknown, Body = unknown>
  extends RouteSpec<Params, Query, Body> {
  readonly scope: Scope;
  /** Absent if each call counts as one request. The cost of large JSON bodies follows from `maxBytes`. */
  readonly cost?: CallCost;
  /** Whether it waits until a proof is settled, for `proofWaitMs` at most. */
  readonly awaitsProof?: boolean;
  /** True if it answers with a stream. The number of concurrent downloads is limited. */
  readonly isDownload?: boolean;
  handle(call: KeyedCall<Params, Query, Body>, deps: RouteDeps): Promise<Reply>;
}

/**
 * An endpoint that needs a key with the scope, and whose calls may be expensive. `handle` runs on a
 * worker thread (`Offload`), for one call of an organisation at a time. Listed in `offloadedRoutes`.
 */
export interface OffloadedRoute<Params = unknown, Query = unknown, Body = unknown>
  extends RouteSpec<Params, Query, Body> {
  readonly scope: Scope;
  /** As in `KeyedRoute`. */
  readonly cost?: CallCost;
  readonly isOffloaded: true;
  /** Runs on the main thread before the call is queued, for cheap checks and waiting. */
  before?(call: AnnouncedCall<Params, Query>, deps: RouteDeps): Promise<void>;
  handle(call: OffloadedCall<Params, Query, Body>, deps: OffloadedDeps): Promise<Reply>;
}

/** A file as it was received, staged; it is discarded when the call has been answered. */
export interface UploadedFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly staged: StagedBlob;
}

export interface UploadCall<Params, Query, Body> extends KeyedCall<Params, Query, Body> {
  readonly file: UploadedFile;
}

/** A call whose body has not been received. */
export type AnnouncedCall<Params, Query> = Omit<KeyedCall<Params, Query, unknown>, 'body'>;

/** An endpoint that takes multipart/form-data: the fields of `form`, and a part called `file`. */
export interface UploadRoute<Params = unknown, Query = unknown, Body = unknown, Place = unknown>
  extends Omit<RouteSpec<Params, Query, Body>, 'body'> {
  readonly scope: Scope;
  readonly form: FormInput<Body>;
  /** Finds where the upload is to go, or refuses, before any of the body is received. */
  before?(call: AnnouncedCall<Params, Query>, deps: RouteDeps): Promise<Place>;
  handle(call: UploadCall<Params, Query, Body>, deps: RouteDeps, place: Place): Promise<Reply>;
}

/** An endpoint that anybody may call. It takes no body, so strangers cannot occupy memory. */
export interface OpenRoute<Params = unknown, Query = unknown>
  extends Omit<RouteSpec<Params, Query, never>, 'body'> {
  readonly scope: null;
  /** Whether it may be called as often as anybody likes; otherwise addresses are limited. */
  readonly unlimited?: boolean;
  handle(call: Omit<Call<Params, Query, never>, 'body'>, deps: RouteDeps): Promise<Reply>;
}

export type Route = KeyedRoute | OffloadedRoute | UploadRoute | OpenRoute;

/** Whether calls are counted: by key, or by address where there is none. */
export function isLimited(route: Route): boolean {
  return route.scope !== null || !route.unlimited;
}

/** Gives a route its types; the registry holds it without them. */
export function defineRoute<Params, Query, Body>(
  route: KeyedRoute<Params, Query, Body>,
): KeyedRoute<Params, Query, Body> {
  return route;
}

export function defineOffloadedRoute<Params, Query, Body>(
  route: OffloadedRoute<Params, Query, Body>,
): OffloadedRoute<Params, Query, Body> {
  return route;
}

export function defineUploadRoute<Params, Query, Body, Place>(
  route: UploadRoute<Params, Query, Body, Place>,
): UploadRoute<Params, Query, Body, Place> {
  return route;
}

export function defineOpenRoute<Params, Query>(
  route: OpenRoute<Params, Query>,
): OpenRoute<Params, Query> {
  return route;
}
