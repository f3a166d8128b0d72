import { monthOf } from '../domain/allowance/decide.ts';
import { organisationOfBlob } from '../domain/blob/blob-key.ts';
import type { ProofTerms, ReceivedFile } from '../domain/document/decide.ts';
import type { Network } from '../domain/network.ts';
import type { HashScheme } from '../domain/proof/hash-scheme.ts';
import type { VisibleProof } from '../domain/proof/state.ts';
import type { DocumentId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Turns } from './turns.ts';

/** What the commands that take files are given. */
export interface UploadDeps {
  readonly store: EventStore;
  /** Shared by all uploads of the process; the organisation is the key. */
  readonly turns: Turns;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

/** A file whose bytes are on stable storage at `blobKey`, a key made for this upload alone. */
export interface Upload extends ReceivedFile {
  readonly network: Network;
  readonly hashScheme: HashScheme;
}

/**
 * The document that now stands for the bytes. Its proof is queued or settled: it is no longer
 * withdrawn, only an operator can give it up.
 */
export interface StoredUpload {
  readonly documentId: DocumentId;
  /** The first upload of its chain; the document itself if it is one. */
  readonly rootDocumentId: DocumentId;
  readonly proofId: ProofId;
  /** Whether this call made the document; if not, these bytes were stored before. */
  readonly created: boolean;
  /** Whether the proof was there before this call, which then has cost nothing. */
  readonly alreadyProven: boolean;
  /** How a proof that was there stood; null for one requested now. */
  readonly state: VisibleProof | null;
  /** Whether an event names the given `blobKey` now. If not, the caller deletes that blob. */
  readonly blobNamed: boolean;
}

const nonceBytes = 32;

/** What the upload itself says of the file, without what it asks of its proof. */
export function receivedFile({ network: _, hashScheme: __, ...file }: Upload): ReceivedFile {
  return file;
}

/** Throws on another organisation's blob, which would go with that organisation. */
export function checkOwnBlob({ blobKey, organisationId }: Upload): void {
  if (organisationOfBlob(blobKey) !== organisationId) {
    throw new TypeError(`blob ${blobKey} is not organisation ${organisationId}'s`);
  }
}

/** A new proof of an upload that is received now. */
export function proofTerms(deps: UploadDeps, { network, hashScheme }: Upload): ProofTerms {
  const proofId = deps.newId() as ProofId;
  const nonce = deps.randomBytes(nonceBytes).toString('hex');
  return { proofId, network, hashScheme, nonce, unitMonth: monthOf(deps.now()) };
}
