import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import type { Logger } from 'pino';
import type { KeyAccess } from '../../projections/access/query.ts';
import { Refusal } from '../domain/refusal.ts';
import { allowUploadPace } from './arrival.ts';
import { authenticate, permit } from './authentication.ts';
import { maxJsonBytes, parseJsonObject, readJsonBytes } from './body.ts';
import { costOf } from './call-cost.ts';
import { checkFile } from './check-file.ts';
import { type Input, parseInput } from './input.ts';
import { limitAddress, limitKey, showLimits } from './limits/limit-calls.ts';
import { isDecodable } from './no-route.ts';
import { checkAnnouncedForm, receiveForm } from './receive-form.ts';
import { type Reply, writeReply } from './reply.ts';
import { loggable } from './request-log.ts';
import type { Context, RequestState } from './request-state.ts';
import {
  type AnnouncedUpload,
  type BodyInput,
  type Call,
  isLimited,
  type KeyedCall,
  type KeyedRoute,
  type Route,
  type UploadRoute,
} from './route.ts';
import type { RouteDeps } from './route-deps.ts';
import { withinWait } from './within-wait.ts';

/**
 * Runs a route: key, standing, scope, limits, then input, then the operation. Nothing of the input,
 * not even its size, is looked at before the caller is known to be permitted.
 */
export function runRoute(route: Route, deps: RouteDeps, base: string) {
  return async (ctx: RouterContext<RequestState>): Promise<void> => {
    ctx.state.route = `${base}${route.path}`;
    const reply = await answer(route, deps, base, ctx);
    if (reply.body instanceof Readable) logBreak(ctx, reply.body, deps.log);
    writeReply(ctx, reply);
  };
}

/** An answer that breaks off on our side is a fault; one that the client hangs up on is none. */
function logBreak({ state, res }: Context, body: Readable, log: Logger): void {
  body.once('error', (error) => {
    if (res.destroyed) return;
    log.error({ requestId: state.requestId, err: loggable(error) }, 'fault');
  });
}

async function answer(
  route: Route,
  deps: RouteDeps,
  base: string,
  ctx: RouterContext<RequestState>,
): Promise<Reply> {
  if (route.scope === null) {
    if (isLimited(route)) await limitAddress(ctx, deps, 'open');
    const call = await readCall(route, base, ctx);
    const { body: input } = route;
    const body = input && parseBody(input, await receiveBody(input, ctx));
    return withinWait(route.handle({ ...call, body }, deps), deps);
  }
  const { authorization } = ctx.req.headers;
  const failed = () => limitAddress(ctx, deps, 'failed');
  const caller = await withinWait(authenticate(deps, authorization, failed), deps);
  ctx.state.caller = caller;
  deps.keyUses.note(caller.keyId);
  // What may be kept of the answer is for this key alone.
  ctx.vary('Authorization');
  const weigh = await admit(ctx, deps, caller, route);
  const call = { ...(await readCall(route, base, ctx)), caller, weigh };
  if ('form' in route) {
    return deps.fileWork.during(caller.organisationId, () => answerUpload(route, deps, ctx, call));
  }
  if (route.body === undefined) {
    return withinWait(route.handle({ ...call, body: undefined }, deps), deps);
  }
  return answerBody(route, route.body, deps, ctx, call);
}

/**
 * Counts a call that the key may make; for other calls only the limits are shown. Returns the function by
 * which a handler raises the cost of the call.
 */
async function admit(
  ctx: RouterContext<RequestState>,
  deps: RouteDeps,
  caller: KeyAccess,
  route: KeyedRoute | UploadRoute,
): Promise<KeyedCall<unknown, unknown, unknown>['weigh']> {
  try {
    permit(caller, route.scope);
  } catch (refusal) {
    await showLimits(ctx, deps, caller);
    throw refusal;
  }
  let paid = costOf(route)?.of({ query: ctx.query, headers: ctx.req.headers }) ?? 1;
  await limitKey(ctx, deps, caller, { cost: paid });
  return async (cost) => {
    if (cost <= paid) return;
    await limitKey(ctx, deps, caller, { cost, paid });
    paid = cost;
  };
}

/**
 * A large body is looked at, and kept, when the one before it is done with: as objects it takes many
 * times its bytes.
 */
async function answerBody(
  { handle, awaitsProof = false }: KeyedRoute,
  input: BodyInput<unknown>,
  deps: RouteDeps,
  ctx: Context,
  call: Omit<KeyedCall<unknown, unknown, unknown>, 'body'>,
): Promise<Reply> {
  const bytes = await receiveBody(input, ctx);
  const alsoMs = awaitsProof ? deps.proofWaitMs : 0;
  const run = async () =>
    withinWait(handle({ ...call, body: parseBody(input, bytes) }, deps), deps, alsoMs);
  if (bytes.length <= maxJsonBytes) return run();
  return deps.turns.take(`large bodies of ${call.caller.organisationId}`, run);
}

/** What can be refused before the body is, is. However the call ends, nothing stays staged. */
async function answerUpload(
  route: UploadRoute,
  deps: RouteDeps,
  ctx: Context,
  call: AnnouncedUpload<unknown, unknown>,
): Promise<Reply> {
  const { storage, maxUploadBytes: maxFileBytes } = deps;
  const { form } = route;
  checkAnnouncedForm(ctx.req, maxFileBytes);
  const place = route.before && (await withinWait(route.before(call, deps), deps));
  welcomeBody(ctx);
  const { refusals = {} } = form;
  const received = await receiveForm(ctx, { storage, maxFileBytes, refusals });
  try {
    const body = parseInput(form, received.fields);
    const file = checkFile(received.file);
    return await route.handle({ ...call, body, file }, deps, place);
  } finally {
    await received.file?.staged.discard();
  }
}

async function readCall(
  route: Pick<Route, 'params' | 'query'>,
  base: string,
  ctx: RouterContext<RequestState>,
): Promise<Omit<Call<unknown, unknown, unknown>, 'body'>> {
  const params = parse(route.params, ctx.params);
  if (!isDecodable(ctx.path)) {
    throw new Refusal('INVALID_REQUEST', 'the path is not valid percent-encoding');
  }
  const query = parse(route.query, ctx.query);
  const { requestId } = ctx.state;
  return { params, query, headers: ctx.req.headers, requestId, base };
}

function receiveBody({ maxBytes }: BodyInput<unknown>, ctx: Context): Promise<Buffer> {
  welcomeBody(ctx);
  if (maxBytes !== undefined) allowUploadPace(ctx.req);
  return readJsonBytes(ctx.req, maxBytes);
}

function parseBody(input: BodyInput<unknown>, bytes: Buffer): unknown {
  return parseInput(input, parseJsonObject(bytes, input));
}

/** Tells a client that waits for it (RFC 9110, 10.1.1) to send the body. */
function welcomeBody({ req, res }: Context): void {
  if (/^100-continue$/i.test(req.headers.expect ?? '')) res.writeContinue();
}

function parse(input: Input<unknown> | undefined, raw: unknown): unknown {
  return input === undefined ? undefined : parseInput(input, raw);
}
