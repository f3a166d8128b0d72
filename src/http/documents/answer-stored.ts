import type { Logger } from 'pino';
import type { StoredUpload } from '../../domain/document/upload.ts';
import type { Network } from '../../domain/network.ts';
import { ProofNotRecorded } from '../../domain/proof/proof-not-recorded.ts';
import { isVisible, type ProofState, type VisibleProof } from '../../domain/proof/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import { loggable } from '../../errors/loggable.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { viewDocument } from '../../views/document-view.ts';
import { isProofAttested, readProof } from '../../views/read-proof.ts';
import { prefersAsync } from '../headers/prefer.ts';
import type { NonceOffer, NonceOfferDeps } from '../proofs/offer-nonce.ts';
import type { ProofAnswerDeps } from '../proofs/proof-answers.ts';
import type { ProofSettling } from '../proofs/settle-proof.ts';
import type { Reply } from '../reply.ts';
import type { KeyedCall } from '../route.ts';
import { readUpload } from './read-upload.ts';

/** Dependencies of answering a stored upload. */
export interface UploadAnswerDeps extends NonceOfferDeps, ProofAnswerDeps {
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
export async function answerStored(
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
