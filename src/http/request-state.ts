import type { ParameterizedContext } from 'koa';
import type { KeyAccess } from '../../projections/access/query.ts';
import type { ErrorCode } from './errors.ts';

/** What is known of a request while it is handled. */
export interface RequestState {
  requestId: string;
  /** The pattern of the matched route, never the path itself. */
  route?: string;
  caller?: KeyAccess;
  /** Of the error body that it was answered with. */
  code?: ErrorCode;
}

export type Context = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;
