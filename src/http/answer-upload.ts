import { endArrival } from './arrival.ts';
import { checkFile } from './check-file.ts';
import { parseInput } from './input.ts';
import { welcomeBody } from './receive-body.ts';
import { checkAnnouncedForm, receiveForm } from './receive-form.ts';
import type { Reply } from './reply.ts';
import type { Context } from './request-state.ts';
import type { AnnouncedCall, UploadRoute } from './route.ts';
import type { RouteDeps } from './route-deps.ts';
import { withinWait } from './within-wait.ts';

/**
 * Refuses as much as possible before receiving the body. Uploads beyond the organisation's share wait
 * unread. However the call ends, nothing stays staged.
 */
export async function answerUpload(
  route: UploadRoute,
  deps: RouteDeps,
  ctx: Context,
  call: AnnouncedCall<unknown, unknown>,
): Promise<Reply> {
  const { storage, maxUploadBytes: maxFileBytes } = deps;
  const { form } = route;
  checkAnnouncedForm(ctx.req, maxFileBytes);
  const place = route.before && (await withinWait(route.before(call, deps), deps));
  const giveBack = await takeTurn(ctx, deps, call);
  try {
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
  } finally {
    giveBack();
  }
}

/** Waits for a share; a slow upload is cut off while others wait. */
function takeTurn(
  { req }: Context,
  { shares }: Pick<RouteDeps, 'shares'>,
  { caller }: AnnouncedCall<unknown, unknown>,
): Promise<() => void> {
  const { socket } = req;
  const readBefore = socket.bytesRead;
  return shares.uploads.take(caller.organisationId, 1, {
    progress: () => (req.complete || req.isPaused() ? null : socket.bytesRead - readBefore),
    giveUp: () => endArrival(req),
  });
}
