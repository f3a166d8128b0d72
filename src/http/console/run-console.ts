import type { RouterContext } from '@koa/router';
import type { Role } from '../../domain/person/events.ts';
import { presentPerson } from '../../domain/person/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { loadOrganisation } from '../../loading/load-organisation.ts';
import { loadPeople } from '../../loading/load-people.ts';
import { type CallLimits, limitAddress, limitPerson } from '../limits/limit-calls.ts';
import type { AddressRecorder } from '../limits/recorded-address.ts';
import { type Reply, writeReply } from '../reply.ts';
import type { RequestState } from '../request-state.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';
import { consoleReply, redirectTo, sentence } from './console-page.ts';
import type { ConsoleRoute, Viewer } from './console-route.ts';
import { type ConsoleSite, consoleSite, isOtherLoopback } from './console-site.ts';
import { signInPage } from './entry/sign-in-page.ts';
import { html } from './html.ts';
import { receiveText } from './receive-text.ts';
import { readSessionCookie } from './session-cookie.ts';
import { findSession, formToken, isFormToken, type Session, type SessionDeps } from './sessions.ts';

export interface ConsoleDeps extends SessionDeps, CallLimits, AnswerWait {
  readonly store: EventStore;
  readonly publicUrl: () => string;
  readonly recordedAddress?: AddressRecorder | undefined;
}

type Ctx = RouterContext<RequestState>;

/**
 * Runs a route of the console. Checks in this order: limits, origin, session, role and standing,
 * token of the form.
 */
export function runConsole<Deps extends ConsoleDeps>(route: ConsoleRoute<Deps>, deps: Deps) {
  return async (ctx: Ctx): Promise<void> => {
    ctx.state.route = route.path;
    const site = consoleSite(deps.publicUrl());
    writeReply(ctx, elsewhere(ctx, site) ?? (await answer(route, deps, ctx, site)));
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

async function answer<Deps extends ConsoleDeps>(
  route: ConsoleRoute<Deps>,
  deps: Deps,
  ctx: Ctx,
  site: ConsoleSite,
): Promise<Reply> {
  const token = readSessionCookie(ctx.req.headers.cookie, site);
  const session = token === null ? null : await withinWait(findSession(deps, token), deps);
  if (session === null) await limitAddress(ctx, deps, 'open');
  else await limitPerson(ctx, deps, session.personId);
  const changes = route.kind === 'form' || route.kind === 'call';
  if (changes && !isFromHere(ctx, site)) {
    throw new Refusal('INVALID_REQUEST', 'the request comes from a page of another origin');
  }
  const viewer =
    session === null || token === null
      ? null
      : await withinWait(loadViewer(deps, session, token), deps);
  const request = {
    ...{ params: ctx.params, query: new URLSearchParams(ctx.querystring) },
    ...{ root: rootFrom(ctx.path), site, token, meta: metaOf(ctx, deps, viewer) },
  };
  if (route.kind === 'open') return withinWait(route.handle({ ...request, viewer }, deps), deps);
  if (route.kind === 'call') {
    const body = parseJson(await receiveText(ctx, 'application/json'));
    const failed = () => limitAddress(ctx, deps, 'failed');
    return withinWait(route.handle({ ...request, body, failed }, deps), deps);
  }
  if (route.kind === 'view') {
    if (viewer === null) return signInPage({ root: request.root, next: `.${ctx.path}` });
    requireRole(viewer, route.role);
    return withinWait(route.handle({ ...request, viewer }, deps), deps);
  }
  const form = new URLSearchParams(await receiveText(ctx, 'application/x-www-form-urlencoded'));
  if (viewer === null) return signInPage({ root: request.root, kept: { path: ctx.path, form } });
  requireRole(viewer, route.role);
  const given = form.get('token') ?? '';
  if (token === null || !isFormToken(token, given) || form.has('again')) {
    const note = 'You signed in again. Nothing was changed yet: check the form, and send it.';
    return withinWait(route.again({ ...request, viewer, form, note }, deps), deps);
  }
  if (viewer.organisation.suspended && route.whenSuspended !== true) {
    throw new Refusal(
      'COMPANY_SUSPENDED',
      'the organisation is suspended; contact the operator of the service',
    );
  }
  return withinWait(route.handle({ ...request, viewer, form, note: null }, deps), deps);
}

/** True if a page of this site sent the request. Browsers always name the origin of a POST. */
function isFromHere({ req: { headers } }: Ctx, { origin }: ConsoleSite): boolean {
  const from = headers['sec-fetch-site'];
  return headers.origin === origin && (from === undefined || from === 'same-origin');
}

/** The person as of now; null if it was removed, or its organisation is gone. */
async function loadViewer(
  { store }: Pick<ConsoleDeps, 'store'>,
  { organisationId, personId }: Session,
  token: string,
): Promise<Viewer | null> {
  const organisation = await loadOrganisation(store, organisationId).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (organisation === null || organisation.closed) return null;
  const person = presentPerson(await loadPeople(store, organisationId), personId);
  if (person?.passkey == null) return null;
  return { person, organisation, formToken: formToken(token) };
}

function requireRole({ person }: Viewer, role: Role): void {
  if (role === 'member' || person.role === 'owner') return;
  throw new Refusal('SCOPE_NOT_PERMITTED', 'only owners of the organisation may do this');
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_JSON', 'the body is not valid JSON');
  }
}

/** Address of the root, relative, so that it works below a path of a proxy. */
function rootFrom(path: string): string {
  const levels = path.split('/').length - 2;
  return levels === 0 ? './' : '../'.repeat(levels);
}

/** Page of a refusal, for people. */
export function refusalReply(message: string, root: string, status: number): Reply {
  const content = html`<h1>That did not work</h1><p class="lead">${sentence(message)}</p>
    <p><a href="${root}console">Back to the console</a></p>`;
  return consoleReply({ title: 'That did not work', content, root, viewer: null, status });
}
