import type { IncomingHttpHeaders } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { Scope } from '../domain/key/scope.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { Input } from './input.ts';
import type { RequestHeader, ResponseHeader } from './openapi/headers.ts';
import type { Tag } from './openapi/tags.ts';

/** A route without its handler: the data for its documentation and its limits. */
export type RouteDescription = KeyedDescription | UploadDescription | OpenDescription;

/** An endpoint that needs a key with the scope. */
export interface KeyedDescription<Params = unknown, Query = unknown, Body = unknown>
  extends Described<Params, Query, Body> {
  readonly scope: Scope;
  /**
   * Absent if each call counts as one request. The cost of large JSON bodies follows from
   * `maxBytes`.
   */
  readonly cost?: CallCost;
}

/** An endpoint that takes multipart/form-data: the fields of `form`, and a part called `file`. */
export interface UploadDescription<Params = unknown, Query = unknown, Body = unknown>
  extends Omit<Described<Params, Query, Body>, 'body'> {
  readonly scope: Scope;
  readonly form: FormInput<Body>;
}

/** An endpoint that anybody may call. */
export interface OpenDescription<Params = unknown, Query = unknown>
  extends Omit<Described<Params, Query, never>, 'body'> {
  readonly scope: null;
  /** True if calls are not limited; otherwise they are limited by address. */
  readonly unlimited?: boolean;
}

interface Described<Params, Query, Body> {
  /** Unique, in camel case; the name of the operation in generated clients. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * With `:name` for parameters, `*name` for the rest of the path. Relative to each base, or to the
   * root (`openRoutes`).
   */
  readonly path: string;
  readonly summary: string;
  /** Further explanation, in Markdown. */
  readonly description?: string;
  /** Headers that the route reads, besides `Authorization`. */
  readonly headers?: readonly RequestHeader[];
  readonly params?: Input<Params>;
  readonly query?: Input<Query>;
  readonly body?: BodyInput<Body>;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Codes of this route, besides the codes common to all routes. */
  readonly refusals: readonly RefusalCode[];
}

/** A documented answer: JSON, other bytes, or headers only. */
export type ResponseSpec = JsonResponse | BytesResponse | EmptyResponse;

interface DescribedAnswer {
  readonly description: string;
  /** Headers besides the headers of every answer. */
  readonly headers?: readonly ResponseHeader[];
}

interface JsonResponse extends DescribedAnswer {
  readonly schema: z.ZodType;
  /** Example that matches the schema. */
  readonly example: object;
}

interface BytesResponse extends DescribedAnswer {
  readonly mediaType: string;
  /** Example of the first bytes. */
  readonly example: string;
}

interface EmptyResponse extends DescribedAnswer {
  readonly empty: true;
}

/** A JSON body. */
export interface BodyInput<Body> extends Input<Body> {
  /** A body as callers send it. */
  readonly example: object;
  /** Default 1 MB. If given, the body may arrive as slowly as an upload. */
  readonly maxBytes?: number;
  /** True to refuse values that `JSON.parse` would change (`findInexact`); default false. */
  readonly exactly?: boolean;
  /** Levels by which an exact body may be nested deeper, since it wraps other bodies; default 0. */
  readonly levelsAbove?: number;
}

/** A form: the fields beside its file. */
interface FormInput<Body> extends Input<Body> {
  readonly schema: z.ZodType<Body> & { readonly shape: Readonly<Record<string, unknown>> };
  /** The fields as callers send them. */
  readonly example: object;
}

/** Head of a request, not validated yet. */
export interface RequestHead {
  readonly query: ParsedUrlQuery;
  readonly headers: IncomingHttpHeaders;
}

/** Number of requests that a call counts as, if not always one. */
export interface CallCost {
  /** Explains to callers when a call counts as more than one, in Markdown. */
  readonly description: string;
  of(head: RequestHead): number;
}

/** Returns true if calls are counted: by key, or by address without a key. */
export function isLimited(route: RouteDescription): boolean {
  return route.scope !== null || !route.unlimited;
}
