import type { UploadDeps } from '../../commands/store-document.ts';
import { type Classification, parseClassification } from '../../domain/document/classification.ts';
import type { Upload } from '../../domain/document/upload.ts';
import { Refusal } from '../../domain/refusal.ts';
import { loggable } from '../../errors/loggable.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { UploadSpace } from '../../storage/contract.ts';
import { offerNonce } from '../proofs/offer-nonce.ts';
import type { Reply } from '../reply.ts';
import type { UploadCall } from '../route.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';
import { answerStored, type UploadAnswerDeps } from './answer-stored.ts';
import { type BlobDeps, storeBlob, type UploadPlan } from './store-blob.ts';
import { uploadMetadata } from './upload-metadata.ts';

/** Optional description, metadata and classification of a file. */
interface UploadFields {
  readonly description?: string | undefined;
  /** JSON text. */
  readonly metadata?: string | undefined;
  /** JSON text. */
  readonly agentClassification?: string | undefined;
}

/** Dependencies of storing an upload, and of answering when its proof is settled. */
export interface StoreUploadDeps extends AnswerWait {
  /** Dependencies of the commands that append the upload. */
  readonly uploads: UploadDeps;
  /** Dependencies of keeping the bytes. */
  readonly keeping: Omit<BlobDeps, 'onLeftover'> & {
    readonly uploadSpace: Pick<UploadSpace, 'stored'>;
  };
  readonly answering: UploadAnswerDeps;
  /** Maximum wait for the validated transaction. */
  readonly proofWaitMs: number;
}

/** Stores the file of a call by `plan`, and answers when its proof is settled. */
export async function storeUpload(
  deps: StoreUploadDeps,
  call: UploadCall<unknown, unknown, UploadFields>,
  plan: (upload: Omit<Upload, 'blobKey'>, meta: EventMeta) => UploadPlan,
): Promise<Reply> {
  const { requestId, caller, file, body, meta } = call;
  const { uploadSpace, ...kept } = deps.keeping;
  const { network, log } = deps.answering;
  const { organisationId } = caller;
  const { sizeBytes: fileSizeBytes, sha256: fileHash } = file.staged;
  const upload = {
    organisationId,
    network,
    hashScheme: caller.organisation.hashScheme,
    fileHash,
    fileName: file.fileName,
    fileSizeBytes,
    mimeType: file.mimeType,
    ...uploadMetadata(body),
    classification: classificationOf(call),
  };
  const onLeftover = (trouble: unknown) =>
    log.warn(
      { requestId, err: loggable(trouble) },
      'unneeded upload could not be deleted; the sweep deletes it later',
    );
  const received = { organisationId, fileName: file.fileName, staged: file.staged };
  const { foresee, append } = plan(upload, meta);
  const stored = await storeBlob({ ...kept, onLeftover }, received, {
    foresee: () => withinWait(foresee(), deps),
    append: (blobKey, appendTo) => withinWait(append(blobKey, appendTo), deps),
  });
  if (stored.blobNamed) uploadSpace.stored();
  const { proofId } = stored;
  const created = stored.created && !stored.alreadyProven;
  const { offer } = offerNonce(deps.answering, call, {
    proofId,
    hashScheme: upload.hashScheme,
    created,
  });
  const answer = answerStored(deps.answering, call, { ...stored, offer }, meta);
  return withinWait(answer, deps, deps.proofWaitMs);
}

function classificationOf({
  body,
  caller,
}: Pick<UploadCall<unknown, unknown, UploadFields>, 'body' | 'caller'>): Classification | null {
  if (body.agentClassification === undefined) return null;
  if (!caller.agent) {
    throw new Refusal(
      'INVALID_CLASSIFICATION',
      'agentClassification: is accepted from agent keys only; leave this field out',
    );
  }
  return parseClassification(body.agentClassification);
}
