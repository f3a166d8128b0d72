import { monthOf } from '../allowance/decider.ts';
import { organisationOfBlob } from '../blob/blob-key.ts';
import type { Network } from '../network.ts';
import type { HashScheme } from '../proof/hash-scheme.ts';
import type { ProofMetadata } from '../proof/metadata.ts';
import type { VisibleProof } from '../proof/state.ts';
import type { DocumentId, ProofId } from '../ulid.ts';
import type { ProofTerms, ReceivedFile } from './decider.ts';

/** A file whose bytes are on stable storage at `blobKey`, a key made for this upload alone. */
export interface Upload extends ReceivedFile {
  readonly network: Network;
  readonly hashScheme: HashScheme;
  /** Metadata of the proof besides the description. A proof that exists keeps its own. */
  readonly metadata?: ProofMetadata | null;
}

/**
 * The document of the uploaded bytes. Its proof is queued or settled: it cannot be withdrawn any
 * more, and only an operator can give it up.
 */
export interface StoredUpload {
  readonly documentId: DocumentId;
  /** First upload of its chain; the document itself if it is the first. */
  readonly rootDocumentId: DocumentId;
  readonly proofId: ProofId;
  /** True if this call created the document, false if these bytes were stored before. */
  readonly created: boolean;
  /** True if the proof existed before this call, which then cost nothing. */
  readonly alreadyProven: boolean;
  /** State of a proof that existed before this call; null for a proof requested now. */
  readonly state: VisibleProof | null;
  /** True if an event names the given `blobKey` now. Otherwise the caller deletes that blob. */
  readonly blobNamed: boolean;
}

const nonceBytes = 32;

/** Returns the file of an upload, without the terms of its proof. */
export function receivedFile(upload: Upload): ReceivedFile {
  const { network: _, hashScheme: __, metadata: ___, ...file } = upload;
  return file;
}

/** Throws if the blob belongs to another organisation, whose erasure would delete it. */
export function checkOwnBlob({ blobKey, organisationId }: Upload): void {
  if (organisationOfBlob(blobKey) !== organisationId) {
    throw new TypeError(`blob ${blobKey} is not organisation ${organisationId}'s`);
  }
}

/** Terms of a new proof, for an upload received now. */
export function proofTerms(
  deps: {
    readonly newId: () => string;
    readonly randomBytes: (count: number) => Buffer;
    readonly now: () => Date;
  },
  { network, hashScheme, metadata = null }: Upload,
): ProofTerms {
  const proofId = deps.newId() as ProofId;
  const nonce = deps.randomBytes(nonceBytes).toString('hex');
  return { proofId, network, hashScheme, metadata, nonce, unitMonth: monthOf(deps.now()) };
}
