import type { Decider, Decisions } from '../decider.ts';
import type { HashEvent } from '../hash/events.ts';
import type { HashState } from '../hash/state.ts';
import type { Network } from '../network.ts';
import { proofDecider } from '../proof/decider.ts';
import type { ProofEvent, ProvenDocument } from '../proof/events.ts';
import type { HashScheme } from '../proof/hash-scheme.ts';
import type { ProofMetadata } from '../proof/metadata.ts';
import type { VisibleProof } from '../proof/state.ts';
import { Refusal } from '../refusal.ts';
import type { DocumentId, ProofId, WorkspaceId } from '../ulid.ts';
import type { DocumentEvent, DocumentStored } from './events.ts';
import {
  type DocumentState,
  evolveDocument,
  type Revision,
  type StoredDocument,
  unknownDocument,
} from './state.ts';

/** State of a document's stream, and the decisions on it. */
export const documentDecider = {
  initial: unknownDocument,
  evolve: evolveDocument,
  store,
  link,
  addRevision,
} satisfies Decider<DocumentState, DocumentEvent> & Decisions;

/**
 * Maximum number of revisions of a document, those with a failed proof included: each upload of a
 * revision reads the whole stream.
 */
export const maxRevisions = 1_000;

/** Refuses with INVALID_REQUEST if the document has its maximum number of revisions. */
export function checkRevisionLeft({ latest }: StoredDocument): void {
  if (latest.revision < maxRevisions) return;
  const message = `${maxRevisions} revisions of the document were stored so far, the maximum; upload the file as a new document`;
  throw new Refusal('INVALID_REQUEST', message);
}

/** A received file whose bytes are already stored. */
export type ReceivedFile = Omit<
  DocumentStored['data'],
  'documentId' | 'proofId' | 'workspaceId' | 'unitMonth'
>;

/** Terms of a proof requested for an upload. `nonce` (hex) is used by the salted schemes only. */
export interface ProofTerms {
  readonly proofId: ProofId;
  readonly network: Network;
  readonly hashScheme: HashScheme;
  readonly nonce: string;
  /** Besides the description. */
  readonly metadata?: ProofMetadata | null;
  /** Charged month (YYYY-MM, UTC). */
  readonly unitMonth: string;
}

/**
 * Events of a decision, appended all or nothing to the streams of the document, its proof and its
 * hash. If a unit is charged, its event is appended with them.
 */
export interface DocumentDecision {
  readonly document: readonly DocumentEvent[];
  readonly proof: readonly ProofEvent[];
  readonly hash: readonly HashEvent[];
}

/** Stores a file whose hash is free in the workspace, as a document with a queued proof. */
function store(
  file: ReceivedFile,
  ids: { readonly documentId: DocumentId; readonly workspaceId: WorkspaceId },
  terms: ProofTerms,
): DocumentDecision {
  const { documentId, workspaceId } = ids;
  const { proofId, unitMonth } = terms;
  const chain = { rootDocumentId: documentId, documentId, previousProofId: null, unitMonth };
  const requested = requestFor(file, workspaceId, chain, terms);
  return {
    document: [{ type: 'DocumentStored', data: { ...file, ...ids, proofId, unitMonth } }],
    proof: requested.proof,
    hash: [...requested.hash, { type: 'HashStored', data: { documentId, proofId } }],
  };
}

/**
 * Stores a file whose hash already has a proof without a file. That proof becomes the document's,
 * at no cost. If the proof is unsettled it is queued, so that it can no longer be withdrawn. A file
 * without a description gets the description of the hash.
 */
function link(
  file: ReceivedFile,
  ids: { readonly documentId: DocumentId; readonly workspaceId: WorkspaceId },
  proof: VisibleProof,
): DocumentDecision {
  const { documentId } = ids;
  const { proofId } = proof.request;
  const description = file.description ?? proof.request.description;
  const data = { ...file, description, ...ids, proofId, unitMonth: null };
  return {
    document: [{ type: 'DocumentStored', data }],
    proof: proofDecider.queue(proof, 'document').proof,
    hash: [{ type: 'HashStored', data: { documentId, proofId } }],
  };
}

/**
 * Chains a file to `previous`, the newest revision that callers can see, with a new proof. The
 * proof's memo names the transaction of the previous revision. The file inherits the workspace, and
 * the classification if it has none. A hash that is claimed in the workspace stays with the proof
 * that claims it. Bytes that are already stored there stay with their document. Refuses with
 * INVALID_REQUEST after `maxRevisions` revisions.
 */
function addRevision(
  chain: StoredDocument,
  previous: Revision,
  file: ReceivedFile,
  documentId: DocumentId,
  terms: ProofTerms,
  hash: HashState,
): DocumentDecision {
  checkRevisionLeft(chain);
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
  { proofId, network, hashScheme, nonce, metadata = null }: ProofTerms,
) {
  const { organisationId, fileHash, fileName, fileSizeBytes, mimeType, description } = file;
  const about = { fileHash, fileName, fileSizeBytes, mimeType, description, document };
  const request = { proofId, organisationId, workspaceId, network, hashScheme, nonce, ...about };
  return proofDecider.request({ ...request, metadata }, 'document');
}
