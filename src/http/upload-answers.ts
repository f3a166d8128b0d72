import type { StoredUpload } from '../commands/upload.ts';
import type { ProofState, VisibleProof } from '../domain/proof/state.ts';
import { isVisible } from '../domain/proof/state.ts';
import { Refusal } from '../domain/refusal.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { viewDocument } from './document-view.ts';
import { prefersAsync } from './prefer.ts';
import { readProof } from './read-proof.ts';
import { readUpload } from './read-upload.ts';
import type { Reply } from './reply.ts';
import type { KeyedCall } from './route.ts';
import type { RouteDeps } from './route-deps.ts';
import { settleProof } from './settle-proof.ts';

/** The answer to an upload or a revision that is kept: once its proof is settled, or queued at once. */
export async function answerUpload(
  deps: RouteDeps,
  { base, headers }: Pick<KeyedCall<unknown, unknown, unknown>, 'base' | 'headers'>,
  stored: StoredUpload,
  meta: EventMeta,
): Promise<Reply> {
  if (stored.state?.status === 'completed') return answerSettled(deps, stored, stored.state);
  if (prefersAsync(headers.prefer?.toString())) {
    const state = stored.state ?? (await readProof(deps, stored.proofId));
    if (isVisible(state)) return answerQueued(deps, base, stored, state);
  }
  return answerSettled(deps, stored, await settleProof(deps, stored.proofId, meta));
}

async function answerSettled(
  deps: RouteDeps,
  stored: StoredUpload,
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
      throw new Refusal(
        'PROOF_NOT_RECORDED',
        'the ledger has not confirmed the proof yet; the file is kept and will be proven without you',
      );
    case 'withdrawn':
    case 'refused':
      throw new Refusal(
        'XRPL_ERROR',
        'the proof could not be anchored and was given up; the file can be uploaded again',
      );
    case 'unknown':
      throw new Error('a proof that was requested has no events');
  }
}

async function answerQueued(
  deps: RouteDeps,
  base: string,
  stored: StoredUpload,
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

/** The nonce is told once, to whoever made the proof. */
async function viewUpload(deps: RouteDeps, stored: StoredUpload, state: VisibleProof) {
  const isNew = stored.created && !stored.alreadyProven;
  const record = await readUpload(deps, stored, state);
  return viewDocument(deps, record, isNew ? state.request.nonce : null);
}
