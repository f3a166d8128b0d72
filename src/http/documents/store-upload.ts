import type { ByteVerification } from '../../byte-verification/contract.ts';
import type { UploadDeps } from '../../commands/store-document.ts';
import { type BlobKey, blobKey } from '../../domain/blob/blob-key.ts';
import { type Classification, parseClassification } from '../../domain/document/classification.ts';
import type { StoredUpload, Upload } from '../../domain/document/upload.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { loggable } from '../../errors/loggable.ts';
import { StoreSilent } from '../../event-store/connection-loss.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { watchAppends } from '../../event-store/handling/watch-appends.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { BlobStorage, StagedBlob, UploadSpace } from '../../storage/contract.ts';
import { offerNonce } from '../proofs/offer-nonce.ts';
import type { Reply } from '../reply.ts';
import type { UploadCall } from '../route.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';
import { answerStored, type UploadAnswerDeps } from './answer-stored.ts';
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
  /** Of the commands that append the upload. */
  readonly uploads: UploadDeps;
  /** Of keeping the bytes. */
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

interface BlobDeps {
  readonly store: EventStore;
  readonly storage: BlobStorage;
  readonly verification: ByteVerification;
  readonly newId: () => string;
  /** Called if an unnamed or staged blob could not be deleted at once; the sweep will delete it. */
  readonly onLeftover: (trouble: unknown) => void;
}

/** A received file. */
interface ReceivedUpload {
  readonly organisationId: OrganisationId;
  readonly fileName: string;
  readonly staged: StagedBlob;
}

/** Checks before the bytes are stored, and the append that names them afterwards. */
export interface UploadPlan {
  /** Refuses as `append` would. Returns the existing document; null if the bytes are needed. */
  foresee(): Promise<StoredUpload | null>;
  /**
   * Appends to this store the events that name the blob, which is already on stable storage.
   * Rejects with `StoreSilent` if the events may still be appended.
   */
  append(blobKey: BlobKey, store: EventStore): Promise<StoredUpload>;
}

/**
 * Stores the bytes of an upload. First refuses everything that can be refused without storing, then
 * verifies the bytes, puts them on stable storage, and appends the event that names them. If it is
 * certain that no event names a blob, deletes the blob at once; otherwise leaves it to the sweep.
 * Refuses with FILE_BYTES_NOT_VERIFIED and the refusals of the plan. The staged blob is discarded.
 */
export async function storeBlob(
  deps: BlobDeps,
  upload: ReceivedUpload,
  plan: UploadPlan,
): Promise<StoredUpload> {
  const { organisationId, staged } = upload;
  try {
    const known = await plan.foresee();
    await verifyBytes(deps.verification, upload);
    if (known !== null) return known;
    const key = blobKey(organisationId, deps.newId());
    return await nameBlob(deps, key, staged, plan);
  } finally {
    await staged.discard().catch(deps.onLeftover);
  }
}

async function verifyBytes(
  verification: ByteVerification,
  { organisationId, fileName, staged }: ReceivedUpload,
): Promise<void> {
  const verdict = await verification.verify(staged, fileName, organisationId);
  if (verdict.status === 'verified') return;
  const { expected, found } = verdict;
  const are = found === null ? 'of an unknown type' : `those of a .${found} file`;
  throw new Refusal(
    'FILE_BYTES_NOT_VERIFIED',
    `file: the name claims a .${expected} file, but the bytes are ${are}`,
  );
}

async function nameBlob(
  deps: BlobDeps,
  key: BlobKey,
  staged: StagedBlob,
  plan: UploadPlan,
): Promise<StoredUpload> {
  const { store, mayHaveAppended } = watchAppends(deps.store);
  let stored: StoredUpload;
  try {
    await deps.storage.put(key, staged);
    stored = await plan.append(key, store);
  } catch (error) {
    // A failed `put` may have stored the blob all the same.
    const isUnderWay = error instanceof StoreSilent;
    if (!mayHaveAppended() && !isUnderWay) await drop(deps, key);
    throw error;
  }
  if (!stored.blobNamed) await drop(deps, key);
  return stored;
}

async function drop({ storage, onLeftover }: BlobDeps, key: BlobKey): Promise<void> {
  await storage.delete(key).catch(onLeftover);
}
