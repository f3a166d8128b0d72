import type { ErrorReply } from '../errors/error-reply.ts';
import { hasPath } from '../middleware/request-target.ts';
import type { Reply } from '../reply.ts';
import type { Context } from '../request-state.ts';
import type { ProblemKind } from './fill-problem.ts';
import type { PageFiles } from './page-files.ts';
import { pagePolicy } from './page-policy.ts';

/**
 * Answers an error with a page, with the same status and headers, if a browser is to show it and
 * the address is a page's (`pagePaths`) or nobody's. An error of the API is JSON, whatever a client
 * accepts. Returns null if the error stays JSON.
 */
export function problemPages(deps: {
  readonly pages: PageFiles;
  readonly publicUrl: () => string;
  readonly pagePaths: readonly string[];
}) {
  return (ctx: Context, answer: ErrorReply): Reply | null => {
    const isForm = isConsole(ctx.state.route) && ctx.method === 'POST';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && !isForm) return null;
    if (!hasPath(ctx) || /^\/api(\/|$)/.test(ctx.path)) return null;
    const { route } = ctx.state;
    if (route !== undefined && !deps.pagePaths.includes(route)) return null;
    ctx.vary('Accept');
    if (ctx.accepts('json', 'html') !== 'html') return null;
    const html = deps.pages.problem({
      kind: kindOf(answer),
      reason: sentence(answer.body.message),
      requestId: ctx.state.requestId,
      root: rootFrom(ctx.path),
    });
    const headers = {
      ...answer.headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy(ctx.headers, deps.publicUrl()),
      'Cache-Control': 'no-store',
    };
    return { status: answer.status, headers, body: Buffer.from(html) };
  };
}

/** The forms of the console are sent by browsers. */
function isConsole(route: string | undefined): boolean {
  return route !== undefined && /^\/console(\/|$)/.test(route);
}

function kindOf({ status, body }: ErrorReply): ProblemKind {
  if (body.code === 'NO_LONGER_SHARED') return 'withdrawn';
  if (status === 404) return 'noPage';
  return status >= 500 || status === 429 ? 'trouble' : 'other';
}

const mostLevels = 8;

/** Address of the root: relative, as on every page, unless the path is deeper than any of ours. */
function rootFrom(path: string): string {
  const levels = path.split('/').length - 2;
  if (levels > mostLevels) return '/';
  return levels === 0 ? './' : '../'.repeat(levels);
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
