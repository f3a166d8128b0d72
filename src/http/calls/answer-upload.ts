import { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import {
  foreseeAnnouncedFile,
  type MayHaveFile,
  type StorageLimiting,
} from '../../loading/storage-use.ts';
import type { BlobStorage, StagedBlob, UploadSpace } from '../../storage/contract.ts';
import { formText } from '../fields.ts';
import { parseInput } from '../input.ts';
import { endArrival } from '../receiving/arrival.ts';
import { welcomeBody } from '../receiving/receive-body.ts';
import {
  checkAnnouncedForm,
  maxOverheadBytes,
  type ReceivedForm,
  receiveForm,
} from '../receiving/receive-form.ts';
import type { Reply } from '../reply.ts';
import type { Context } from '../request-state.ts';
import type { AnnouncedCall, UploadedFile, UploadRoute } from '../route.ts';
import type { HttpShares } from '../shares/create-shares.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';

/** Dependencies of receiving an upload. */
export interface UploadAnswering extends AnswerWait, StorageLimiting {
  readonly storage: BlobStorage;
  readonly uploadSpace: UploadSpace;
  readonly shares: Pick<HttpShares, 'uploads'>;
  readonly maxUploadBytes: number;
  readonly store: EventStore;
  readonly mayHaveFile: MayHaveFile;
}

/**
 * Refuses as much as possible before receiving the body. Uploads beyond the organisation's share
 * wait unread. No staged file remains after the call.
 */
export async function answerUpload(
  route: UploadRoute<unknown, unknown, unknown, unknown, void>,
  deps: UploadAnswering,
  ctx: Context,
  call: AnnouncedCall<unknown, unknown>,
): Promise<Reply> {
  const { uploadSpace, maxUploadBytes: maxFileBytes } = deps;
  checkAnnouncedForm(ctx.req, maxFileBytes);
  const expectedBytes = Number(ctx.req.headers['content-length'] ?? maxFileBytes);
  await uploadSpace.check(expectedBytes, call.caller.organisationId);
  const found = route.before && (await withinWait(route.before(call), deps));
  const mostBytes = Number(ctx.req.headers['content-length'] ?? 0);
  const announced = { leastBytes: mostBytes - maxOverheadBytes, mostBytes };
  const { organisationId } = call.caller;
  await withinWait(foreseeAnnouncedFile(deps, { organisationId, ...announced }), deps);
  const giveBack = await takeTurn(ctx, deps, call);
  try {
    return await answerAdmitted(route, deps, ctx, call, { found, expectedBytes });
  } finally {
    giveBack();
  }
}

/** Receives the body and handles the call, if there is space for it. */
async function answerAdmitted(
  route: UploadRoute<unknown, unknown, unknown, unknown, void>,
  deps: UploadAnswering,
  ctx: Context,
  call: AnnouncedCall<unknown, unknown>,
  { found, expectedBytes }: { readonly found: unknown; readonly expectedBytes: number },
): Promise<Reply> {
  const { storage, uploadSpace, maxUploadBytes: maxFileBytes } = deps;
  const { form } = route;
  const { organisationId } = call.caller;
  const admission = await uploadSpace.admit(expectedBytes, organisationId);
  let failure: unknown = null;
  let staged: StagedBlob | undefined;
  try {
    welcomeBody(ctx);
    const { refusals = {} } = form;
    const fields = Object.keys(form.schema.shape);
    const options = { storage, organisationId, maxFileBytes, fields, refusals, admission };
    const received = await receiveForm(ctx, options);
    staged = received.file?.staged;
    admission.arrived();
    const body = parseInput(form, received.fields);
    const file = checkFile(received.file);
    return await route.handle({ ...call, body, file }, undefined, found);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    admission.end(failure);
    await staged?.discard();
  }
}

/** Waits for a share; a slow upload is cut off while others wait. */
function takeTurn(
  { req }: Context,
  { shares }: Pick<UploadAnswering, 'shares'>,
  { caller }: AnnouncedCall<unknown, unknown>,
): Promise<() => void> {
  const { socket } = req;
  const readBefore = socket.bytesRead;
  return shares.uploads.take(caller.organisationId, 1, {
    progress: () => (req.complete || req.isPaused() ? null : socket.bytesRead - readBefore),
    giveUp: () => endArrival(req),
  });
}

/** Limits of the API on the name and the type of a file part. */
const part = { schema: z.object({ file: z.object({ name: formText(255), type: formText(255) }) }) };

/** Refuses a missing or empty file, or an invalid name or type, with INVALID_REQUEST. */
function checkFile(file: ReceivedForm['file']): UploadedFile {
  if (file === null) {
    throw new Refusal(
      'INVALID_REQUEST',
      'file: is missing; send the file in a part named file, with its file name',
    );
  }
  const { staged } = file;
  const declared = { file: { name: file.fileName, type: file.mimeType } };
  const { name: fileName, type: mimeType } = parseInput(part, declared).file;
  if (staged.sizeBytes === 0) throw new Refusal('INVALID_REQUEST', 'file: must not be empty');
  return { fileName, mimeType, staged };
}
