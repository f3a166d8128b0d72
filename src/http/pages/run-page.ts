import type { IncomingHttpHeaders } from 'node:http';
import type { RouterContext } from '@koa/router';
import { Refusal } from '../../domain/refusal.ts';
import { type CallLimits, limitAddress } from '../limits/limit-calls.ts';
import type { SharingDeps } from '../links/shared-proof.ts';
import { isDecodable } from '../middleware/request-target.ts';
import { type Reply, writeReply } from '../reply.ts';
import type { RequestState } from '../request-state.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';
import type { PageFiles } from './page-files.ts';
import type { PublicFacts } from './public-facts.ts';

export interface PageDeps extends SharingDeps {
  /** Pages and files for browsers. */
  readonly pages: PageFiles;
  readonly publicUrl: () => string;
  /** Null while they cannot be read. */
  readonly publicFacts: () => Promise<PublicFacts | null>;
}

/**
 * A page for people, or a file that pages load: no part of the API. The reply sets its own
 * Content-Security-Policy.
 */
export interface PageRoute {
  /** Path with `:name` for parameters. */
  readonly path: string;
  /** True if data is looked up: calls are then limited by address. */
  readonly isLimited?: boolean;
  handle(
    request: {
      readonly params: Readonly<Record<string, string | undefined>>;
      readonly headers: IncomingHttpHeaders;
      readonly query: URLSearchParams;
      /**
       * Raises the cost of a limited call to so many requests, before the work that they pay for. Rejects
       * with `RateLimitExceeded`.
       */
      readonly weigh: (atLeast: number) => Promise<void>;
    },
    deps: PageDeps,
  ): Promise<Reply>;
}

/**
 * Redirects the address with a trailing slash, which people type. Relative, so that it works below
 * a path of a proxy.
 */
export function redirectWithoutSlash({ path }: PageRoute) {
  return (ctx: RouterContext<RequestState>): void => {
    ctx.state.route = path;
    const Location = `../${ctx.path.split('/').at(-2)}${ctx.search}`;
    writeReply(ctx, { status: 308, headers: { Location }, body: null });
  };
}

export function runPage(
  { path, isLimited = false, handle }: PageRoute,
  deps: PageDeps,
  run: AnswerWait & { readonly limits: CallLimits },
) {
  return async (ctx: RouterContext<RequestState>): Promise<void> => {
    ctx.state.route = path;
    if (!isDecodable(ctx.path)) {
      throw new Refusal('INVALID_REQUEST', 'the path is not valid percent-encoding');
    }
    if (isLimited) await limitAddress(ctx, run.limits, 'open');
    const weigh = async (atLeast: number) => {
      if (atLeast > 1) await limitAddress(ctx, run.limits, 'open', { cost: atLeast, paid: 1 });
    };
    const query = new URLSearchParams(ctx.querystring);
    const reply = handle({ params: ctx.params, headers: ctx.req.headers, query, weigh }, deps);
    writeReply(ctx, await withinWait(reply, run));
  };
}
