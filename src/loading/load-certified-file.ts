import { documentDecider } from '../domain/document/decider.ts';
import { revisionsOf } from '../domain/document/state.ts';
import { hashDecider } from '../domain/hash/decider.ts';
import type { CertificateInputs } from '../domain/proof/certificate-inputs.ts';
import type { ProofRequest } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load } from '../event-store/handling/load.ts';
import { hashStream } from './hash-stream.ts';

/** The file as its stored document describes it, or else the request of the proof. */
type CertifiedFile = Pick<
  CertificateInputs,
  'fileName' | 'fileSizeBytes' | 'mimeType' | 'revision' | 'description' | 'classification'
>;

/**
 * Loads the description of the file: from the document of the proof if there is one, otherwise from
 * the request of the proof.
 */
export async function loadCertifiedFile(
  store: Pick<EventStore, 'readStream' | 'index'>,
  request: ProofRequest,
): Promise<CertifiedFile> {
  const root = request.document?.rootDocumentId ?? (await linkedDocument(store, request));
  const revision = root === null ? null : await loadRevision(store, root, request);
  const { fileName, fileSizeBytes, mimeType, description } = revision ?? request;
  const number = revision?.revision ?? null;
  const classification = revision?.classification ?? null;
  return {
    ...{ fileName, fileSizeBytes, mimeType, description, revision: number },
    classification: classification && JSON.stringify(classification),
  };
}

/**
 * Finds a document linked to a hash-only proof later. The stored bytes may instead belong to a
 * later revision with its own proof.
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
