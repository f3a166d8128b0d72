import type { ParameterizedContext } from 'koa';
import type { KeyAccess } from '../../projections/access/query.ts';
import type { ErrorCode } from './errors/error-code.ts';

/** State of a request while it is handled. */
export interface RequestState {
  requestId: string;
  /** The pattern of the matched route, never the path itself. */
  route?: string;
  caller?: KeyAccess;
  /** Code of the error body in the answer. */
  code?: ErrorCode;
}

export type Context = ParameterizedContext<RequestState>;
export type Next = () => Promise<unknown>;
