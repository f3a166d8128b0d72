import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import type { Logger } from 'pino';
import { Refusal } from '../../domain/refusal.ts';
import type { ReadMany } from '../../event-store/read-coalescer.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { logBreak } from '../calls/run-route.ts';
import { type CallLimits, limitAddress, limitPerson } from '../limits/limit-calls.ts';
import type { AddressRecorder } from '../limits/recorded-address.ts';
import { type Reply, writeReply } from '../reply.ts';
import type { RequestState } from '../request-state.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';
import { answerRoute } from './answer-route.ts';
import { consoleReply, redirectTo } from './console-page.ts';
import type { ConsoleRoute, Viewer } from './console-route.ts';
import { type ConsoleSite, consoleSite, isOtherLoopback } from './console-site.ts';
import type { ProviderDeps } from './entry/provider-button.ts';
import { html } from './html.ts';
import { loadViewer } from './load-viewer.ts';
import { readSessionCookie } from './session-cookie.ts';
import { type Session, sessionHash } from './sessions.ts';

/** Dependencies of running any route of the console, besides those of its handler. */
export interface ConsoleDeps extends AnswerWait, ProviderDeps {
  /** Finds the person of a session. */
  readonly members: Parameters<typeof loadViewer>[0];
  readonly limits: CallLimits;
  /** Sessions by the hash of their token. Concurrent look-ups are combined. */
  readonly sessions: ReadMany<string, Session>;
  readonly publicUrl: () => string;
  readonly log: Logger;
  readonly recordedAddress: AddressRecorder | undefined;
}

type Ctx = RouterContext<RequestState>;

/** Runs a route of the console. */
export function runConsole(route: ConsoleRoute<void>, deps: ConsoleDeps) {
  return async (ctx: Ctx): Promise<void> => {
    ctx.state.route = route.path;
    const site = consoleSite(deps.publicUrl());
    const reply = elsewhere(ctx, site) ?? (await answer(route, deps, ctx, site));
    if (reply.body instanceof Readable) logBreak(ctx, reply.body, deps.log);
    writeReply(ctx, reply);
  };
}

/** The answer to a browser that cannot have passkeys at this address; null for all others. */
function elsewhere(ctx: Ctx, site: ConsoleSite): Reply | null {
  const root = rootFrom(ctx.path);
  if (!site.isHttps && !site.isLocal) {
    const content = html`<h1>The console needs HTTPS</h1>
      <p class="lead">Browsers allow passkeys on secure pages only. Ask the operator to serve this
      address by HTTPS.</p>`;
    return consoleReply({ title: 'HTTPS needed', content, root, viewer: null, status: 403 });
  }
  if (site.isLocal && ctx.method === 'GET' && isOtherLoopback(ctx.hostname)) {
    return redirectTo(site.url, `${ctx.path}${ctx.search}`);
  }
  return null;
}

/** Checks limits and origin, looks the session up, and leaves the other checks to the kind of route. */
async function answer(
  route: ConsoleRoute<void>,
  deps: ConsoleDeps,
  ctx: Ctx,
  site: ConsoleSite,
): Promise<Reply> {
  const token = readSessionCookie(ctx.req.headers.cookie, site);
  const read = async () => {
    if (token === null) return null;
    const hash = sessionHash(token);
    return (await withinWait(deps.sessions([hash]), deps)).get(hash) ?? null;
  };
  const session = await read();
  if (session === null) await limitAddress(ctx, deps.limits, 'open');
  else await limitPerson(ctx, deps.limits, session.personId);
  const changes = route.kind !== 'open' && route.kind !== 'view';
  if (changes && !isFromHere(ctx, site)) {
    throw new Refusal('INVALID_REQUEST', 'the request comes from a page of another origin');
  }
  const viewerOf = async (held: Session | null) =>
    held === null || token === null
      ? null
      : withinWait(loadViewer(deps.members, held, token), deps);
  const viewer = await viewerOf(session);
  const request = {
    ...{ ctx, params: ctx.params, query: new URLSearchParams(ctx.querystring) },
    ...{ root: rootFrom(ctx.path), site, token, meta: metaOf(ctx, deps, viewer) },
    cookies: ctx.req.headers.cookie,
    failed: () => limitAddress(ctx, deps.limits, 'failed'),
  };
  const viewerNow = async () => viewerOf(await read());
  return answerRoute(route, deps, { request, viewer, viewerNow });
}

/** True if a page of this site sent the request. Browsers always name the origin of a POST. */
function isFromHere({ req: { headers } }: Ctx, { origin }: ConsoleSite): boolean {
  const from = headers['sec-fetch-site'];
  return headers.origin === origin && (from === undefined || from === 'same-origin');
}

function metaOf(ctx: Ctx, deps: ConsoleDeps, viewer: Viewer | null): EventMeta {
  const client = deps.recordedAddress?.(ctx.req);
  return {
    requestId: ctx.state.requestId,
    actor: 'console',
    ...(viewer && { personId: viewer.person.personId }),
    ...(client && { client }),
  };
}

/** Address of the root, relative, so that it works below a path of a proxy. */
function rootFrom(path: string): string {
  const levels = path.split('/').length - 2;
  return levels === 0 ? './' : '../'.repeat(levels);
}
