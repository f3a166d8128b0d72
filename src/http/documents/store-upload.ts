import type { Logger } from 'pino';
import type { UploadDeps } from '../../commands/append-upload.ts';
import { type BlobDeps, storeBlob, type UploadPlan } from '../../commands/store-blob.ts';
import { type Classification, parseClassification } from '../../domain/document/classification.ts';
import type { StoredUpload, Upload } from '../../domain/document/upload.ts';
import type { Network } from '../../domain/network.ts';
import { ProofNotRecorded } from '../../domain/proof/proof-not-recorded.ts';
import { isVisible, type ProofState, type VisibleProof } from '../../domain/proof/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import { loggable } from '../../errors/loggable.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { UploadSpace } from '../../storage/contract.ts';
import { viewDocument } from '../../views/document-view.ts';
import { isProofAttested, readProof } from '../../views/read-proof.ts';
import { prefersAsync } from '../headers/prefer.ts';
import { type NonceOffer, type NonceOfferDeps, offerNonce } from '../proofs/offer-nonce.ts';
import type { ProofAnswerDeps } from '../proofs/proof-answers.ts';
import type { ProofSettling } from '../proofs/settle-proof.ts';
import type { Reply } from '../reply.ts';
import type { KeyedCall, UploadCall } from '../route.ts';
import { type AnswerWait, withinWait } from '../within-wait.ts';
import { readUpload } from './read-upload.ts';
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

interface UploadAnswerDeps extends NonceOfferDeps, ProofAnswerDeps {
  readonly settleProof: ProofSettling;
  /** Network for new proofs. */
  readonly network: Network;
  readonly log: Logger;
}

/** An upload, and the decision if its answer carries the nonce. */
type AnsweredUpload = StoredUpload & { readonly offer: NonceOffer };

/**
 * Answers a stored upload or revision: when its proof is settled, or immediately with
 * `respond-async`.
 */
async function answerStored(
  deps: UploadAnswerDeps,
  { base, headers }: Pick<KeyedCall<unknown, unknown, unknown>, 'base' | 'headers'>,
  stored: AnsweredUpload,
  meta: EventMeta,
): Promise<Reply> {
  if (stored.state?.status === 'completed') return answerSettled(deps, stored, stored.state);
  if (prefersAsync(headers.prefer?.toString())) {
    const state = stored.state ?? (await readProof(deps, stored.proofId));
    if (isVisible(state)) return answerQueued(deps, base, stored, state);
  }
  const { proofId } = stored;
  const { network } = stored.state?.request ?? deps;
  const settled = await deps.settleProof({ proofId, network, created: false }, meta);
  return answerSettled(deps, stored, settled);
}

async function answerSettled(
  deps: UploadAnswerDeps,
  stored: AnsweredUpload,
  state: ProofState,
): Promise<Reply> {
  switch (state.status) {
    case 'completed': {
      const data = await viewUpload(deps, stored, state);
      const status = stored.created ? 201 : 200;
      return stored.alreadyProven
        ? { status, body: { success: true, alreadyProven: true, data } }
        : { status, body: { success: true, data } };
    }
    case 'pending':
    case 'processing':
      throw new ProofNotRecorded(
        'the ledger has not confirmed the proof yet; the file is stored and will be anchored without ' +
          'another call',
        stored,
      );
    case 'withdrawn':
    case 'refused':
      throw new Refusal(
        'XRPL_ERROR',
        'the proof could not be anchored and was rolled back; upload the file again',
      );
    case 'unknown':
      throw new Error('a proof that was requested has no events');
  }
}

async function answerQueued(
  deps: UploadAnswerDeps,
  base: string,
  stored: AnsweredUpload,
  state: VisibleProof,
): Promise<Reply> {
  return {
    status: 202,
    headers: {
      Location: `${base}/documents/${stored.documentId}`,
      'Preference-Applied': 'respond-async',
    },
    body: { success: true, data: await viewUpload(deps, stored, state) },
  };
}

async function viewUpload(deps: UploadAnswerDeps, stored: AnsweredUpload, state: VisibleProof) {
  const [upload, attested] = await Promise.all([
    readUpload(deps, stored, state),
    isAttested(deps, state),
  ]);
  const withNonce = await stored.offer(state);
  return viewDocument(
    deps,
    { ...upload, isAttested: attested },
    withNonce ? state.request.nonce : null,
  );
}

/** False if the read model cannot tell: the file is stored and proven, so the call succeeds. */
async function isAttested(
  { db, log }: Pick<UploadAnswerDeps, 'db' | 'log'>,
  state: VisibleProof,
): Promise<boolean> {
  try {
    return await isProofAttested(db, state);
  } catch (error) {
    const { proofId } = state.request;
    log.warn(
      { proofId, err: loggable(error) },
      'the evidence of a stored upload could not be read; the answer says pending',
    );
    return false;
  }
}
