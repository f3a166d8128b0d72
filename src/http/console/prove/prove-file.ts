import { answerUpload, type UploadAnswering } from '../../calls/answer-upload.ts';
import { permit } from '../../calls/authentication.ts';
import type { RunDeps } from '../../calls/run-route.ts';
import { whenAnswered } from '../../calls/when-answered.ts';
import { postDocument } from '../../documents/post-document.ts';
import type { StoreUploadDeps } from '../../documents/store-upload.ts';
import { limitKey } from '../../limits/limit-calls.ts';
import type { UploadRoute } from '../../route.ts';
import { consoleHeaders } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { sessionEnded } from '../entry/session-reply.ts';
import { personCaller } from './person-caller.ts';

type Deps = RunDeps & UploadAnswering & StoreUploadDeps;

const route: UploadRoute<unknown, unknown, unknown, unknown, Deps> = postDocument;

/** Uploads a file, and proves it, by the upload of the API. */
export const proveFileRoute: ConsoleRoute<Deps> = {
  kind: 'order',
  path: '/console/prove/file',
  role: 'owner',
  receives: 'itself',
  handle: async ({ ctx, viewer, meta, viewerNow }, deps) => {
    const caller = await personCaller(deps, viewer);
    permit(caller, route.scope);
    await limitKey(ctx, deps, caller);
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
    const reply = await deps.fileWork.during(caller.organisationId, () =>
      answerUpload(receiving, deps, ctx, call),
    );
    return { ...reply, headers: { ...reply.headers, ...consoleHeaders } };
  },
};
