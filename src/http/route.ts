import type { IncomingHttpHeaders } from 'node:http';
import type { KeyAccess } from '../../projections/access/query.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { StagedBlob } from '../storage/contract.ts';
import type { GiveBackItems } from './limits/limit-calls.ts';
import type { OffloadedCall } from './offload/offload.ts';
import type { Reply } from './reply.ts';
import type { KeyedDescription, OpenDescription, UploadDescription } from './route-description.ts';

/** One call with validated input. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** The base under which the route was called, such as `/api/v1`; empty for routes at the root. */
  readonly base: string;
}

export interface KeyedCall<Params, Query, Body> extends Call<Params, Query, Body> {
  readonly caller: KeyAccess;
  /** Meta of the events that the call appends. */
  readonly meta: EventMeta;
  /** Number of requests counted for the call when it was admitted. */
  readonly paid: number;
  /**
   * Raises the cost of the call; call it before the expensive work. Rejects with
   * `RateLimitExceeded`, and counts nothing more, if too few requests remain.
   */
  readonly weigh: (cost: number) => Promise<void>;
  /**
   * Counts the items of a batch; call it before the work. Rejects with `RateLimitExceeded`, and
   * counts none of them, if too few items remain for the day. Call the result with the number of
   * items that are not to count after all.
   */
  readonly countItems: (items: number) => Promise<GiveBackItems>;
  /**
   * Calls the listener once: with true when a successful answer was handed whole to an open
   * connection, with false after an error or a broken connection.
   */
  readonly whenAnswered: (listener: (isSuccess: boolean) => void) => void;
}

/**
 * An endpoint that needs a key with the scope. All members except `handle` are data. `Deps` are the
 * dependencies that the handler receives.
 */
export interface KeyedRoute<Params = unknown, Query = unknown, Body = unknown, Deps = never>
  extends KeyedDescription<Params, Query, Body> {
  /** True if it waits until a proof is settled, for at most `proofWaitMs`. */
  readonly awaitsProof?: boolean;
  /** Maximum of its waits for others than the database and a proof, by default 0. */
  readonly otherWaitMs?: number;
  /** True if it answers with a stream. The number of concurrent downloads is limited. */
  readonly isDownload?: boolean;
  handle(call: KeyedCall<Params, Query, Body>, deps: Deps): Promise<Reply>;
}

/**
 * An endpoint that needs a key with the scope, and whose calls may be expensive. `handle` runs on a
 * worker thread (`Offload`), for one call of an organisation at a time. Listed in
 * `offloadedRoutes`.
 */
export interface OffloadedRoute<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Deps = never,
  EarlyDeps = never,
> extends KeyedDescription<Params, Query, Body> {
  readonly isOffloaded: true;
  /** Runs on the main thread before the call is queued, for cheap checks and waiting. */
  before?(call: AnnouncedCall<Params, Query>, deps: EarlyDeps): Promise<void>;
  handle(call: OffloadedCall<Params, Query, Body>, deps: Deps): Promise<Reply>;
}

/** A received and staged file; discarded after the call. */
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
export interface UploadRoute<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Found = unknown,
  Deps = never,
> extends UploadDescription<Params, Query, Body> {
  /** Finds the target of the upload, or refuses, before the body is received. */
  before?(call: AnnouncedCall<Params, Query>, deps: Deps): Promise<Found>;
  handle(call: UploadCall<Params, Query, Body>, deps: Deps, found: Found): Promise<Reply>;
}

/** An endpoint that anybody may call, without a body, so that strangers cannot occupy memory. */
export interface OpenRoute<Params = unknown, Query = unknown, Deps = never>
  extends OpenDescription<Params, Query> {
  handle(call: Omit<Call<Params, Query, never>, 'body'>, deps: Deps): Promise<Reply>;
}

/** A route for callers with a key. */
export type CallersRoute<Deps = never> =
  | KeyedRoute<unknown, unknown, unknown, Deps>
  | OffloadedRoute<unknown, unknown, unknown, never, Deps>
  | UploadRoute<unknown, unknown, unknown, unknown, Deps>;

export type Route<Deps = never> = CallersRoute<Deps> | OpenRoute<unknown, unknown, Deps>;

/** A route that has its dependencies: its handler is called without them. */
export type BoundRoute = Route<void>;

/**
 * Gives a route its types; the registry contains the route without its types. A handler declares
 * only the dependencies that it uses, and receives those of its room.
 */
export function defineRoute<Params, Query, Body, Deps>(
  route: KeyedRoute<Params, Query, Body, Deps>,
): KeyedRoute<Params, Query, Body, Deps> {
  return route;
}

/** As `defineRoute`; `handle` receives other dependencies than `before`. */
export function defineOffloadedRoute<Params, Query, Body, Deps, EarlyDeps>(
  route: OffloadedRoute<Params, Query, Body, Deps, EarlyDeps>,
): OffloadedRoute<Params, Query, Body, Deps, EarlyDeps> {
  return route;
}

export function defineUploadRoute<Params, Query, Body, Found, Deps>(
  route: UploadRoute<Params, Query, Body, Found, Deps>,
): UploadRoute<Params, Query, Body, Found, Deps> {
  return route;
}

export function defineOpenRoute<Params, Query, Deps>(
  route: OpenRoute<Params, Query, Deps>,
): OpenRoute<Params, Query, Deps> {
  return route;
}
