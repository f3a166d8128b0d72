import type { HashEvent } from '../hash/events.ts';
import type { HashState } from '../hash/state.ts';
import type { Network } from '../network.ts';
import { queueProof, requestProof } from '../proof/decide.ts';
import type { ProofEvent, ProvenDocument } from '../proof/events.ts';
import type { HashScheme } from '../proof/hash-scheme.ts';
import type { VisibleProof } from '../proof/state.ts';
import type { DocumentId, ProofId, WorkspaceId } from '../ulid.ts';
import type { DocumentEvent, DocumentStored } from './events.ts';
import type { Revision, StoredDocument } from './state.ts';

/** A file that was received, its bytes being stored already. */
export type ReceivedFile = Omit<
  DocumentStored['data'],
  'documentId' | 'proofId' | 'workspaceId' | 'unitMonth'
>;

/** What a proof of its own is requested with. `nonce` (hex) is used by the salted schemes only. */
export interface ProofTerms {
  readonly proofId: ProofId;
  readonly network: Network;
  readonly hashScheme: HashScheme;
  readonly nonce: string;
  /** The month (YYYY-MM, UTC) that is charged. */
  readonly unitMonth: string;
}

/**
 * What a decision appends, together or not at all, to the streams of the document, of its proof and
 * of its hash. Where a unit is taken, its event goes with them.
 */
export interface DocumentDecision {
  readonly document: readonly DocumentEvent[];
  readonly proof: readonly ProofEvent[];
  readonly hash: readonly HashEvent[];
}

/** Stores a file whose hash is free in the workspace: a document, with a proof that is queued. */
export function storeDocument(
  file: ReceivedFile,
  place: { readonly documentId: DocumentId; readonly workspaceId: WorkspaceId },
  terms: ProofTerms,
): DocumentDecision {
  const { documentId, workspaceId } = place;
  const { proofId, unitMonth } = terms;
  const chain = { rootDocumentId: documentId, documentId, previousProofId: null, unitMonth };
  const requested = requestFor(file, workspaceId, chain, terms);
  return {
    document: [{ type: 'DocumentStored', data: { ...file, ...place, proofId, unitMonth } }],
    proof: requested.proof,
    hash: [...requested.hash, { type: 'HashStored', data: { documentId, proofId } }],
  };
}

/**
 * Stores a file whose hash alone was posted before: that proof becomes the document's, which costs
 * nothing. If it is unsettled it is queued, so that it can no longer be withdrawn. Without a
 * description the file keeps that of the hash.
 */
export function linkDocument(
  file: ReceivedFile,
  place: { readonly documentId: DocumentId; readonly workspaceId: WorkspaceId },
  proof: VisibleProof,
): DocumentDecision {
  const { documentId } = place;
  const { proofId } = proof.request;
  const description = file.description ?? proof.request.description;
  const data = { ...file, description, ...place, proofId, unitMonth: null };
  return {
    document: [{ type: 'DocumentStored', data }],
    proof: queueProof(proof, 'document').proof,
    hash: [{ type: 'HashStored', data: { documentId, proofId } }],
  };
}

/**
 * Chains a file to `previous`, the newest revision that callers can see: with a proof of its own,
 * whose memo is to name that one's transaction. Placement is inherited, and so is the
 * classification if there is none. A hash that is claimed in the workspace stays with the proof that
 * claims it, bytes that are stored there with the document that they are.
 */
export function chainRevision(
  chain: StoredDocument,
  previous: Revision,
  file: ReceivedFile,
  documentId: DocumentId,
  terms: ProofTerms,
  hash: HashState,
): DocumentDecision {
  const { rootDocumentId, workspaceId } = chain;
  const { proofId, unitMonth } = terms;
  const link = { rootDocumentId, documentId, previousProofId: previous.proofId, unitMonth };
  const requested = requestFor(file, workspaceId, link, terms);
  const data = {
    ...file,
    classification: file.classification ?? previous.classification,
    documentId,
    workspaceId,
    proofId,
    unitMonth,
    rootDocumentId,
    previousDocumentId: previous.documentId,
    revision: chain.latest.revision + 1,
  };
  const stored: HashEvent = { type: 'HashStored', data: { documentId, proofId } };
  return {
    document: [{ type: 'RevisionChained', data }],
    proof: requested.proof,
    hash: [
      ...(hash.status === 'free' ? requested.hash : []),
      ...(hash.status === 'free' || hash.document === null ? [stored] : []),
    ],
  };
}

function requestFor(
  file: ReceivedFile,
  workspaceId: WorkspaceId,
  document: ProvenDocument,
  { proofId, network, hashScheme, nonce }: ProofTerms,
) {
  const { organisationId, fileHash, fileName, fileSizeBytes, mimeType, description } = file;
  const about = { fileHash, fileName, fileSizeBytes, mimeType, description, document };
  const request = { proofId, organisationId, workspaceId, network, hashScheme, nonce, ...about };
  return requestProof(request, 'document');
}
