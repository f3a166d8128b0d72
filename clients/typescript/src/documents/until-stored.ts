import type { Answer, Api } from '../calls/api.ts';
import { pollUntil, untilDone } from '../calls/patience.ts';
import type { Wait } from '../calls/wait.ts';
import { ProofmarkError } from '../errors.ts';
import { type ProofProgress, progressOf } from '../proving/prove.ts';
import type { Document } from './upload-form.ts';

interface UploadDeps {
  readonly api: Api;
  readonly wait: Wait;
  readonly patienceMs: number;
  readonly signal: AbortSignal | undefined;
  /** True if the same bytes can be posted again without a second document. False for a revision. */
  readonly isIdempotent: boolean;
}

/**
 * Posts a file, and resolves with its document when its proof is completed. A file that the service has stored is
 * not posted again: a later revision may have followed, and the same bytes would then be stored a second time.
 */
export async function untilStored(
  post: () => Promise<Answer<{ readonly data: unknown }>>,
  deps: UploadDeps,
): Promise<Document> {
  const { api, wait, patienceMs, signal, isIdempotent } = deps;
  let stored: { readonly proofId: string; readonly documentId: string } | null = null;
  const attempt = async () => {
    if (stored !== null) return documentOf(stored, deps);
    const { body } = await post();
    return body.data as Document;
  };
  return untilDone(attempt, {
    ...{ patienceMs, signal, wait },
    isRepeated: (error) =>
      isIdempotent || stored !== null || error.proofId !== null
        ? error.retryable
        : // Nothing was done.
          error.retry === 'repeat' || error.retry === 'once',
    async prepare(error, endsAtMs) {
      const { proofId, documentId } = error;
      if (proofId === null || documentId === null) return false;
      let progress: ProofProgress = 'queued';
      const isSettled = async () => {
        progress = await progressOf(api, proofId, signal);
        return progress !== 'queued';
      };
      await pollUntil(isSettled, { endsAtMs, signal, wait });
      switch (progress as ProofProgress) {
        case 'completed':
          stored = { proofId, documentId };
          return true;
        case 'gone':
          return true;
        case 'hidden':
          if (isIdempotent) return true;
          throw error;
        case 'queued':
          throw error;
      }
    },
  });
}

/** The document as the answer to its upload would have it, with the nonce. */
async function documentOf(
  { proofId, documentId }: { readonly proofId: string; readonly documentId: string },
  { api, signal = null }: { readonly api: Api; readonly signal?: AbortSignal | null | undefined },
): Promise<Document> {
  const { body } = await api.GET('/documents/{id}', {
    params: { path: { id: documentId } },
    signal,
  });
  const document = body.data as Document;
  if (document?.id !== documentId) {
    throw new ProofmarkError('UNEXPECTED_ANSWER', 'the answer is another document');
  }
  const params = { path: { proofId }, query: { includeSalt: true } };
  const { proofNonce } = (await api.GET('/proofs/{proofId}', { params, signal })).body.data;
  return { ...document, proofNonce };
}
