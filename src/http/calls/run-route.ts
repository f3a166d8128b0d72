import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import type { Logger } from 'pino';
import type { KeyAccess } from '../../../projections/access/query.ts';
import type { Scope } from '../../domain/key/scope.ts';
import { Refusal } from '../../domain/refusal.ts';
import { loggable } from '../../errors/loggable.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { FileWork } from '../../subscriptions/file-work.ts';
import { withoutEmpty } from '../absent.ts';
import { type Input, parseInput } from '../input.ts';
import type { KeyUses } from '../keys/key-uses.ts';
import { costOf } from '../limits/call-cost.ts';
import { type CallLimits, limitAddress, showLimits } from '../limits/limit-calls.ts';
import type { AddressRecorder } from '../limits/recorded-address.ts';
import { isDecodable } from '../middleware/request-target.ts';
import type { Offload } from '../offload/offload.ts';
import { parseBody } from '../receiving/body.ts';
import { receiveBody } from '../receiving/receive-body.ts';
import { type Reply, writeReply } from '../reply.ts';
import type { Context, RequestState } from '../request-state.ts';
import type {
  AnnouncedCall,
  BoundRoute,
  Call,
  CallersRoute,
  KeyedCall,
  KeyedRoute,
  Route,
} from '../route.ts';
import { type BodyInput, isLimited } from '../route-description.ts';
import { type HttpShares, smallBytes } from '../shares/create-shares.ts';
import { type AnswerWait, otherWaitMs, withinWait } from '../within-wait.ts';
import { adviseWorkspace } from './advise-workspace.ts';
import { answerOffloaded, type OffloadedAnswering } from './answer-offloaded.ts';
import { answerUpload, type UploadAnswering } from './answer-upload.ts';
import { type AuthenticationDeps, authenticate, permit } from './authentication.ts';
import { type CountedCall, countCall, countingOf } from './count-call.ts';
import { shareAnswer, shareDownload } from './share-answer.ts';
import { whenAnswered } from './when-answered.ts';

/** Dependencies of running any route, besides those of its handler. */
export interface RunDeps extends AnswerWait {
  readonly authentication: AuthenticationDeps;
  readonly limits: CallLimits;
  readonly uploading: UploadAnswering;
  readonly offloading: OffloadedAnswering & { readonly offload: Pick<Offload, 'parse'> };
  readonly shares: HttpShares;
  /** Records the uses of keys. */
  readonly keyUses: Pick<KeyUses, 'note'>;
  /** Announces uploads under way in this process to all processes. */
  readonly fileWork: FileWork;
  /** Maximum wait of a route that awaits a proof. */
  readonly proofWaitMs: number;
  readonly log: Logger;
  /** Address to record with the events of a call; undefined to record none. */
  readonly recordedAddress: AddressRecorder | undefined;
}

/**
 * Runs a route. Checks key, standing, scope, limits and input, in this order. No part of the input,
 * not even its size, is read before the caller is permitted.
 */
export function runRoute(route: BoundRoute, deps: RunDeps, base: string) {
  return async (ctx: RouterContext<RequestState>): Promise<void> => {
    ctx.state.route = `${base}${route.path}`;
    const reply = await answer(route, deps, base, ctx);
    if (reply.body instanceof Readable) logBreak(ctx, reply.body, deps.log);
    writeReply(ctx, reply);
  };
}

/**
 * Logs an answer that breaks off on our side as a fault. A disconnection by the client is no fault.
 */
export function logBreak({ state, res }: Context, body: Readable, log: Logger): void {
  body.once('error', (error) => {
    if (res.destroyed) return;
    log.error(
      { requestId: state.requestId, err: loggable(error) },
      'unexpected error in a request',
    );
  });
}

async function answer(
  route: BoundRoute,
  deps: RunDeps,
  base: string,
  ctx: RouterContext<RequestState>,
): Promise<Reply> {
  if (route.scope === null) {
    if (isLimited(route)) await limitAddress(ctx, deps.limits, 'open');
    const call = await readCall(route, base, ctx);
    return withinWait(route.handle(call), deps);
  }
  const { authorization } = ctx.req.headers;
  const failed = () => limitAddress(ctx, deps.limits, 'failed');
  const caller = await withinWait(authenticate(deps.authentication, authorization, failed), deps);
  ctx.state.caller = caller;
  deps.keyUses.note(caller.keyId);
  // Caches may reuse the answer for this key only.
  ctx.vary('Authorization');
  const admitted = await admit(ctx, deps.limits, caller, route);
  try {
    const answered: KeyedCall<unknown, unknown, unknown>['whenAnswered'] = (listener) =>
      whenAnswered(ctx, listener);
    const input = await readCall(route, base, ctx);
    const meta = metaOf(ctx, deps, caller);
    const call = { ...input, caller, meta, ...admitted, whenAnswered: answered };
    return await answerKeyed(route, deps, ctx, call);
  } catch (error) {
    throw await adviseWorkspace(error, deps.authentication, caller);
  }
}

/** Meta of the events that a call with the key appends. */
export function metaOf(
  ctx: Context,
  deps: Pick<RunDeps, 'recordedAddress'>,
  { keyId }: KeyAccess,
): EventMeta {
  const client = deps.recordedAddress?.(ctx.req);
  return { requestId: ctx.state.requestId, keyId, actor: 'api', ...(client && { client }) };
}

async function answerKeyed(
  route: CallersRoute<void>,
  deps: RunDeps,
  ctx: Context,
  call: AnnouncedCall<unknown, unknown>,
): Promise<Reply> {
  const { caller } = call;
  if ('form' in route) {
    const receiving: typeof route = {
      ...route,
      // The body may take hours, in which the key may have been revoked.
      handle: async (...received) => {
        await withinWait(permitAgain(ctx, deps.authentication, route.scope), deps);
        return route.handle(...received);
      },
    };
    return deps.fileWork.during(caller.organisationId, () =>
      answerUpload(receiving, deps.uploading, ctx, call),
    );
  }
  if ('isOffloaded' in route) return answerOffloaded(route, deps.offloading, ctx, call);
  if (route.isDownload) await shareDownload(ctx, deps, caller);
  const reply = await (route.body === undefined
    ? withinWait(route.handle({ ...call, body: undefined }), deps, otherWaitMs(route, deps))
    : answerBody(route, route.body, deps, ctx, call));
  await shareAnswer(ctx, reply, deps, caller);
  return reply;
}

/** Checks key, standing and scope of an admitted call again. Refuses as for a new call. */
async function permitAgain(
  { req }: Context,
  deps: AuthenticationDeps,
  scope: Scope,
): Promise<void> {
  permit(await authenticate(deps, req.headers.authorization, async () => {}), scope);
}

/** Counts a permitted call. For other calls only the limits are shown. */
async function admit(
  ctx: RouterContext<RequestState>,
  limits: CallLimits,
  caller: KeyAccess,
  route: CallersRoute,
): Promise<CountedCall> {
  try {
    permit(caller, route.scope);
  } catch (refusal) {
    await showLimits(ctx, limits, caller);
    throw refusal;
  }
  const head = { query: withoutEmpty(ctx.query), headers: ctx.req.headers };
  const cost = costOf(route)?.of(head) ?? 1;
  return countCall(countingOf(ctx, limits, caller), { cost });
}

/** Frees the body's share of the memory before the call waits for a ledger. */
async function answerBody(
  route: KeyedRoute<unknown, unknown, unknown, void>,
  input: BodyInput<unknown>,
  deps: RunDeps,
  ctx: Context,
  call: AnnouncedCall<unknown, unknown>,
): Promise<Reply> {
  const { organisationId } = call.caller;
  const { bytes, giveBack } = await receiveBody(input, deps, ctx, call.caller);
  const isLarge = bytes.length > smallBytes;
  const parsed = isLarge
    ? deps.offloading.offload.parse({ operationId: route.operationId, organisationId, bytes })
    : Promise.try(() => parseBody(input, bytes));
  const body = await parsed.finally(giveBack);
  return withinWait(route.handle({ ...call, body }), deps, otherWaitMs(route, deps));
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
  const query = parse(route.query, withoutEmpty(ctx.query));
  const { requestId } = ctx.state;
  return { params, query, headers: ctx.req.headers, requestId, base };
}

function parse(input: Input<unknown> | undefined, raw: unknown): unknown {
  return input === undefined ? undefined : parseInput(input, raw);
}
