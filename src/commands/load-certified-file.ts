import { documentDecider } from '../domain/document/decider.ts';
import { revisionsOf } from '../domain/document/state.ts';
import { hashDecider } from '../domain/hash/decider.ts';
import type { CertificateInputs } from '../domain/proof/events.ts';
import type { ProofRequest } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { hashStream } from './hash-stream.ts';
import { load } from './load.ts';

type CertifiedFile = Pick<
  CertificateInputs,
  'fileName' | 'fileSizeBytes' | 'mimeType' | 'revision'
>;

/**
 * What a certificate says of the file: as the document has it that is stored with the proof, now or
 * from the start; of a hash alone, as its requester described it.
 */
export async function loadCertifiedFile(
  store: Pick<EventStore, 'readStream' | 'index'>,
  request: ProofRequest,
): Promise<CertifiedFile> {
  const root = request.document?.rootDocumentId ?? (await linkedDocument(store, request));
  const revision = root === null ? null : await loadRevision(store, root, request);
  const { fileName, fileSizeBytes, mimeType } = revision ?? request;
  return { fileName, fileSizeBytes, mimeType, revision: revision?.revision ?? null };
}

/**
 * The document that a hash-only proof may have got since. The bytes may as well be a later revision's,
 * which has a proof of its own.
 */
async function linkedDocument(
  store: Pick<EventStore, 'readStream' | 'index'>,
  request: ProofRequest,
): Promise<DocumentId | null> {
  const stream = await hashStream(store, request);
  const { state } = await load(store, stream, hashDecider);
  if (state.status === 'free' || state.document?.proofId !== request.proofId) return null;
  return state.document.documentId;
}

async function loadRevision(
  store: Pick<EventStore, 'readStream'>,
  rootDocumentId: DocumentId,
  { proofId }: ProofRequest,
) {
  const stream = streams.document(rootDocumentId);
  const { state } = await load(store, stream, documentDecider);
  if (state.status === 'unknown') return null;
  return revisionsOf(state).find((revision) => revision.proofId === proofId) ?? null;
}
