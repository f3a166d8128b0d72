import { answerUpload } from '../../calls/answer-upload.ts';
import { permit } from '../../calls/authentication.ts';
import type { RunDeps } from '../../calls/run-route.ts';
import { whenAnswered } from '../../calls/when-answered.ts';
import { limitKey } from '../../limits/limit-calls.ts';
import type { Reply } from '../../reply.ts';
import type { BoundRoute } from '../../route.ts';
import { consoleHeaders } from '../console-page.ts';
import type { OrderRequest } from '../console-route.ts';
import { sessionEnded } from '../entry/session-reply.ts';
import { personCaller } from './person-caller.ts';

export type UploadRequest = Pick<OrderRequest, 'ctx' | 'viewer' | 'meta' | 'viewerNow'>;

/** Uploads the file of the request, and proves it, by an upload route of the API. */
export async function uploadForPerson(
  route: BoundRoute,
  run: RunDeps,
  { ctx, viewer, meta, viewerNow }: UploadRequest,
): Promise<Reply> {
  if (!('form' in route)) throw new TypeError(`${route.operationId} takes no file`);
  const caller = await personCaller(run.authentication, viewer);
  permit(caller, route.scope);
  await limitKey(ctx, run.limits, caller);
  const call = {
    ...{ params: undefined, query: undefined, caller, meta, paid: 1, base: '/api/v1' },
    headers: { ...ctx.req.headers, prefer: 'respond-async' },
    requestId: ctx.state.requestId,
    weigh: async () => {},
    countItems: async () => async () => {},
    whenAnswered: (listener: (isSuccess: boolean) => void) => whenAnswered(ctx, listener),
  };
  const receiving: typeof route = {
    ...route,
    // The body may take hours, in which the person may have been removed.
    handle: async (...received) =>
      (await viewerNow()) === null ? sessionEnded() : route.handle(...received),
  };
  const reply = await run.fileWork.during(caller.organisationId, () =>
    answerUpload(receiving, run.uploading, ctx, call),
  );
  return { ...reply, headers: { ...reply.headers, ...consoleHeaders } };
}
