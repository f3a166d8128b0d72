import { requireApiAccess } from '../../domain/organisation/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Reply } from '../reply.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';
import type { ConsoleRequest, ConsoleRoute, RouteOf, Viewer } from './console-route.ts';
import type { ProviderDeps } from './entry/provider-button.ts';
import { jsonReply, sessionEnded } from './entry/session-reply.ts';
import { signInPage } from './entry/sign-in-page.ts';
import { requireActive, requireRole } from './load-viewer.ts';
import { receiveText } from './receive-text.ts';
import { isFormToken } from './sessions.ts';

/** A request that is within its limits, and that a page of this site sent if it may change anything. */
export interface Arrived {
  readonly request: ConsoleRequest;
  /** The person when the request arrived; null without a session. */
  readonly viewer: Viewer | null;
  /** The person as of now, to ask once the body has come: it may have been removed meanwhile. */
  readonly viewerNow: () => Promise<Viewer | null>;
}

/** Header in which a script sends the token of the session's forms. */
const tokenHeader = 'X-Console-Token';
/** 100 hashes with names of 255 characters. */
const orderBytes = 262_144;

/** Runs a route, with the checks of its kind. */
export function answerRoute(
  route: ConsoleRoute<void>,
  deps: AnswerWait & ProviderDeps,
  arrived: Arrived,
): Promise<Reply> {
  switch (route.kind) {
    case 'open':
      return withinWait(route.handle({ ...arrived.request, viewer: arrived.viewer }), deps);
    case 'call':
      return answerCall(route, deps, arrived);
    case 'view':
      return answerView(route, deps, arrived);
    case 'order':
      return answerOrder(route, arrived);
    case 'form':
      return answerForm(route, deps, arrived);
  }
}

/** Receives the body. The route itself finds out who calls. */
async function answerCall(
  route: RouteOf<'call', void>,
  deps: AnswerWait & ProviderDeps,
  { request }: Arrived,
): Promise<Reply> {
  const body = parseJson(await receiveText(request.ctx, 'application/json'));
  return withinWait(route.handle({ ...request, body }), deps);
}

/**
 * Checks session, role and standing. Without a session the status is 401, so that nothing takes the
 * page to sign in for a file or a stream.
 */
async function answerView(
  route: RouteOf<'view', void>,
  deps: AnswerWait & ProviderDeps,
  { request, viewer }: Arrived,
): Promise<Reply> {
  if (viewer === null) {
    return signInPage({ root: request.root, ...providerOf(deps), status: 401 });
  }
  requireRole(viewer, route.role);
  if (route.needsActive === true) requireActive(viewer);
  return withinWait(route.handle({ ...request, viewer }), deps);
}

/**
 * Checks session, token, role and standing. Then receives the body, and checks session, role and
 * standing again. A route that receives the body itself does so by `viewerNow`.
 */
async function answerOrder(route: RouteOf<'order', void>, arrived: Arrived): Promise<Reply> {
  const { request } = arrived;
  const { ctx, token } = request;
  const permitted = (viewer: Viewer | null): Viewer | null => {
    if (viewer === null) return null;
    requireRole(viewer, route.role);
    requireActive(viewer);
    return viewer;
  };
  if (arrived.viewer === null) return sessionEnded();
  if (token === null || !isFormToken(token, ctx.get(tokenHeader))) {
    return jsonReply(401, { message: 'you signed in again; load the token of this session' });
  }
  permitted(arrived.viewer);
  const viewerNow = async () => permitted(await arrived.viewerNow());
  if (route.receives === 'itself') {
    return route.handle({ ...request, viewer: arrived.viewer, viewerNow, body: undefined });
  }
  const text = await receiveText(ctx, 'application/json', orderBytes);
  const viewer = await viewerNow();
  if (viewer === null) return sessionEnded();
  return route.handle({ ...request, viewer, viewerNow, body: parseJson(text) });
}

/**
 * Receives the form first, so that nothing typed is lost without a session. Then checks session,
 * role, token, standing and access to the API. A form without the session's token is shown again.
 */
async function answerForm(
  route: RouteOf<'form', void>,
  deps: AnswerWait & ProviderDeps,
  { request, viewerNow }: Arrived,
): Promise<Reply> {
  const { ctx, token, root } = request;
  const form = new URLSearchParams(await receiveText(ctx, 'application/x-www-form-urlencoded'));
  const viewer = await viewerNow();
  if (viewer === null) {
    return signInPage({ root, ...providerOf(deps), kept: { path: ctx.path, form }, status: 401 });
  }
  requireRole(viewer, route.role);
  const given = form.get('token') ?? '';
  if (token === null || !isFormToken(token, given) || form.has('again')) {
    const note = 'You signed in again. Nothing was changed yet: check the form, and send it.';
    return withinWait(route.again({ ...request, viewer, form, note }), deps);
  }
  if (route.whenSuspended !== true) requireActive(viewer);
  if (route.needsApiAccess === true) requireApiAccess(viewer.organisation);
  const answer = route.handle({ ...request, viewer, form, note: null });
  return withinWait(answer, deps, route.otherWaitMs);
}

function providerOf({ identityProvider }: ProviderDeps): ProviderDeps {
  return { identityProvider };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_JSON', 'the body is not valid JSON');
  }
}
