import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import multer from '@koa/multer';
import { Refusal, type RefusalCode } from '../../domain/refusal.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { Unavailable } from '../../errors/unavailable.ts';
import type { Admission, BlobStorage, StagedBlob } from '../../storage/contract.ts';
import type { Context } from '../request-state.ts';
import { allowUploadPace } from './arrival.ts';
import { hasNoBody, parseType, requireNoEncoding } from './body.ts';
import { type Received, StagingEngine } from './staging-engine.ts';

/** A received form. Only its size is checked. */
export interface ReceivedForm {
  /** Text fields, and fields that came as a file. A repeated field is a list. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The staged part called `file`; the caller must store or discard it. Null if absent. */
  readonly file: {
    readonly fileName: string;
    /** `type/subtype`, as the sender declares it. */
    readonly mimeType: string;
    readonly staged: StagedBlob;
  } | null;
}

/** Text fields are small: the largest one is `agentClassification`. */
const maxFieldBytes = 16_384;
const maxFields = 16;
/** Maximum bytes of a form besides its file: its fields, and the headers of its parts. */
export const maxOverheadBytes = 1_048_576;

/**
 * Reads a multipart/form-data body with at most one file, called `file`, and stages the file during
 * receipt. Parts may come in any order. The named `fields` may come as files too, as browsers send a
 * Blob. Refuses with PAYLOAD_TOO_LARGE or INVALID_REQUEST (broken,
 * another file part, too many or too large fields). `refusals` name the codes of single fields.
 * Rejects with the error of `storage.stage` if the file cannot be staged. After a rejection nothing is left staged.
 * Call `checkAnnouncedForm` first.
 */
export async function receiveForm(
  ctx: Context,
  options: {
    readonly storage: Pick<BlobStorage, 'stage'>;
    /** Owner of the file. */
    readonly organisationId: OrganisationId;
    readonly maxFileBytes: number;
    readonly fields: readonly string[];
    readonly refusals: Readonly<Record<string, RefusalCode>>;
    readonly admission: Pick<Admission, 'signal' | 'received'>;
  },
): Promise<ReceivedForm> {
  const { storage, organisationId, maxFileBytes, fields, refusals, admission } = options;
  const { req } = ctx;
  const tooLarge = () => fileTooLarge(maxFileBytes);
  const maxBodyBytes = maxFileBytes + maxOverheadBytes;

  // The parser waits for the rest of a rejected body; the answer need not wait.
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
  const whenFull = () => giveUp(admission.signal.reason);
  admission.signal.addEventListener('abort', whenFull, { once: true });
  // The parser's own errors fail the staging too. They are answered when the body has ended.
  let isBroken = () => false;
  const onFailed = (error?: unknown) => isBroken() || giveUp(error ?? tooLarge());
  const stage = (source: Readable) => storage.stage(organisationId, source);
  const engine = new StagingEngine(stage, onFailed, maxFieldBytes);
  const upload = multer<Received>({
    storage: engine,
    preservePath: true,
    defParamCharset: 'utf8',
    // Buffer one chunk only: a hundred concurrent uploads use no other memory.
    highWaterMark: 1,
    fileHwm: 1,
    limits: {
      files: 1 + fields.length,
      fields: maxFields,
      parts: maxFields + 1,
      fileSize: maxFileBytes,
      fieldSize: maxFieldBytes,
      fieldNameSize: 100,
      headerPairs: 32,
      fieldNestingDepth: 0,
      fieldArrayIndexLimit: 0,
    },
    streamHandler(source, parser) {
      let failed = false;
      parser.once('error', () => {
        failed = true;
      });
      isBroken = () => failed || parser.errored !== null;
      let received = 0;
      source.on('data', (chunk: Buffer) => {
        received += chunk.length;
        admission.received(chunk.length);
        if (received > maxBodyBytes) giveUp(tooLarge());
      });
      source.pipe(parser);
    },
  });
  const form: Parameters<ReturnType<typeof upload.fields>>[0] = { req, res: ctx.res, request: {} };
  allowUploadPace(req);
  const parts = ['file', ...fields].map((name) => ({ name, maxCount: 1 }));
  const parsed = upload.fields(parts)(form, () => {});
  try {
    await Promise.race([parsed, givenUp]);
  } catch (error) {
    // The parser may still finish after the rejection.
    parsed.then(
      () => stagedIn(form)?.discard(),
      () => {},
    );
    const isParsers = error instanceof Error && !('code' in error) && isBroken();
    throw isParsers
      ? new Refusal('INVALID_REQUEST', notAForm)
      : toRefusal(error, refusals, tooLarge);
  }
  const { originalname: fileName, mimetype: mimeType } = form.files?.file?.[0] ?? {};
  const staged = stagedIn(form);
  const isWhole = fileName !== undefined && mimeType !== undefined && staged !== undefined;
  return { fields: textsOf(form, fields), file: isWhole ? { fileName, mimeType, staged } : null };
}

interface ParsedForm {
  readonly request: { readonly body?: Readonly<Record<string, unknown>> };
  readonly files?: Readonly<Record<string, readonly Received[]>>;
}

function stagedIn({ files }: ParsedForm): StagedBlob | undefined {
  const file = files?.file?.[0];
  return file && 'staged' in file ? file.staged : undefined;
}

/** Text fields, and the named fields that came as files. */
function textsOf({ request, files }: ParsedForm, names: readonly string[]) {
  const texts: Record<string, unknown> = { ...request.body };
  for (const name of names) {
    const file = files?.[name]?.[0];
    if (file === undefined || !('text' in file)) continue;
    texts[name] = Object.hasOwn(texts, name) ? [texts[name], file.text].flat() : file.text;
  }
  return texts;
}

/**
 * Checks the head of a request before its body is received. Refuses with UNSUPPORTED_MEDIA_TYPE,
 * PAYLOAD_TOO_LARGE or INVALID_REQUEST.
 */
export function checkAnnouncedForm(req: IncomingMessage, maxFileBytes: number): void {
  if (hasNoBody(req))
    throw new Refusal('INVALID_REQUEST', 'body: is empty; send a multipart/form-data form');
  const type = parseType(req.headers['content-type']);
  if (type?.essence !== 'multipart/form-data') {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be multipart/form-data');
  }
  requireNoEncoding(req.headers);
  if (!type.params.get('boundary')) {
    throw new Refusal('INVALID_REQUEST', 'Content-Type: must name the boundary of the parts');
  }
  const announcedBytes = Number(req.headers['content-length'] ?? 0);
  if (announcedBytes > maxFileBytes + maxOverheadBytes) throw fileTooLarge(maxFileBytes);
}

function fileTooLarge(maxFileBytes: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `file: is larger than ${maxFileBytes} bytes`);
}

/**
 * The parser does not name the cause of an unreadable form. Control characters in a name are one.
 */
const notAForm =
  'body: is not a complete multipart/form-data form, or the name of a file or field has a control ' +
  'character';

/** Converts errors of multer by their codes. Other errors are returned as they are. */
function toRefusal(
  error: unknown,
  refusals: Readonly<Record<string, RefusalCode>>,
  tooLarge: () => Refusal,
): unknown {
  if (error instanceof Refusal || error instanceof Unavailable) return error;
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge();
  if (error.code === 'LIMIT_FIELD_VALUE' && 'field' in error) {
    const field = String(error.field);
    const code = Object.hasOwn(refusals, field) ? refusals[field] : undefined;
    return new Refusal(
      code ?? 'INVALID_REQUEST',
      `${field}: must have at most ${maxFieldBytes} bytes`,
    );
  }
  const message = messages[String(error.code)];
  return message === undefined ? error : new Refusal('INVALID_REQUEST', message);
}

const messages: Readonly<Record<string, string>> = {
  LIMIT_FILE_COUNT: 'body: must contain exactly one file, in a part named file',
  LIMIT_UNEXPECTED_FILE: 'body: must contain exactly one file, in a part named file',
  LIMIT_PART_COUNT: 'body: has too many parts',
  LIMIT_FIELD_COUNT: 'body: has too many fields',
  LIMIT_FIELD_KEY: 'body: has a field whose name is too long',
  LIMIT_FIELD_NESTING: 'body: has a field whose name contains brackets; rename the field',
  LIMIT_FIELD_ARRAY_INDEX: 'body: has a field whose name contains brackets; rename the field',
  MISSING_FIELD_NAME: 'body: has a part without a name',
  INVALID_FIELD_NAME: 'body: has a field whose name is not allowed; rename the field',
  STREAM_DESTROYED: notAForm,
};
