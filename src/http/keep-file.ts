import { keepUpload, type UploadPlan } from '../commands/keep-upload.ts';
import type { Upload } from '../commands/upload.ts';
import { type Classification, parseClassification } from '../domain/document/classification.ts';
import { Refusal } from '../domain/refusal.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { Reply } from './reply.ts';
import { loggable } from './request-log.ts';
import type { UploadCall } from './route.ts';
import type { RouteDeps } from './route-deps.ts';
import { answerUpload } from './upload-answers.ts';
import { withinWait } from './within-wait.ts';

/** Of what may be said of a file, what was. */
interface Said {
  readonly description?: string | undefined;
  /** JSON. */
  readonly agentClassification?: string | undefined;
}

/** Keeps the file of a call as `plan` says, and answers when its proof is settled. */
export async function keepFile(
  deps: RouteDeps,
  call: UploadCall<unknown, unknown, Said>,
  plan: (upload: Omit<Upload, 'blobKey'>, meta: EventMeta) => UploadPlan,
): Promise<Reply> {
  const { requestId, caller, file, body } = call;
  const { organisationId } = caller;
  const { sizeBytes: fileSizeBytes, sha256: fileHash } = file.staged;
  const upload = {
    organisationId,
    network: deps.network,
    hashScheme: caller.organisation.hashScheme,
    fileHash,
    fileName: file.fileName,
    fileSizeBytes,
    mimeType: file.mimeType,
    description: body.description ?? null,
    classification: classificationOf(call),
  };
  const meta: EventMeta = { requestId, keyId: caller.keyId, actor: 'api' };
  const onLeftover = (trouble: unknown) =>
    deps.log.warn({ requestId, err: loggable(trouble) }, 'a file that is not needed is left over');
  const { store, storage, verification, newId } = deps;
  const keeping = { store, storage, verification, newId, onLeftover };
  const received = { organisationId, fileName: file.fileName, staged: file.staged };
  const { foresee, append } = plan(upload, meta);
  const stored = await keepUpload(keeping, received, {
    foresee: () => withinWait(foresee(), deps),
    append: (blobKey, appendTo) => withinWait(append(blobKey, appendTo), deps),
  });
  return withinWait(answerUpload(deps, call, stored, meta), deps, deps.proofWaitMs);
}

function classificationOf({
  body,
  caller,
}: Pick<UploadCall<unknown, unknown, Said>, 'body' | 'caller'>): Classification | null {
  if (body.agentClassification === undefined) return null;
  if (!caller.agent) {
    throw new Refusal(
      'INVALID_CLASSIFICATION',
      'agentClassification: may be sent with the key of an agent alone',
    );
  }
  return parseClassification(body.agentClassification);
}
