import type { BlobKey } from '../blob/blob-key.ts';
import type { DefinitionsOf, EventOf } from '../event.ts';
import {
  beforeReplacements,
  type SignedTransaction,
  signedFacts,
  type ValidatedTransaction,
  validatedFacts,
  withoutReplacement,
} from '../ledger/transaction.ts';
import type { Network } from '../network.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../ulid.ts';
import type { CertificateInputs, PdfSignature } from './certificate-inputs.ts';
import type { Digest } from './digest.ts';
import { type HashScheme, isSalted } from './hash-scheme.ts';
import type { ProofMetadata } from './metadata.ts';

/** A caller asked for a proof. `nonce` and `commitment` are null for the plain scheme. */
export type ProofRequested = EventOf<
  'ProofRequested',
  {
    readonly proofId: ProofId;
    readonly organisationId: OrganisationId;
    readonly workspaceId: WorkspaceId;
    readonly network: Network;
    readonly hashScheme: HashScheme;
    readonly commitment: string | null;
    readonly fileHash: Digest;
    readonly nonce: string | null;
    /**
     * True if the delivery of the nonce to a caller is recorded. False in events of earlier schemas:
     * their nonces count as delivered.
     */
    readonly recordsDelivery: boolean;
    readonly fileName: string | null;
    readonly fileSizeBytes: number | null;
    readonly mimeType: string | null;
    readonly description: string | null;
    /** Null if the caller sent none. */
    readonly metadata: ProofMetadata | null;
    /** Stored file that it was requested with; null for a hash alone. */
    readonly document: ProvenDocument | null;
  }
>;

/** Data about its document that the proof of an upload or a revision needs. */
export interface ProvenDocument {
  readonly rootDocumentId: DocumentId;
  readonly documentId: DocumentId;
  /**
   * Proof of the previous revision, whose transaction this one's memo names; null for a first
   * upload.
   */
  readonly previousProofId: ProofId | null;
  /**
   * Month (YYYY-MM) to which the unit is returned if the proof is given up; null if it cost none.
   */
  readonly unitMonth: string | null;
}

/** The service settles the proof from here on without the caller, however long it takes. */
export type ProofQueued = EventOf<
  'ProofQueued',
  { readonly reason: 'waitEnded' | 'respondAsync' | 'document' }
>;

/** A signed transaction, recorded before its first byte is sent. It may replace the outstanding one. */
export type AnchorPrepared = EventOf<
  'AnchorPrepared',
  SignedTransaction & {
    readonly hashScheme: HashScheme;
    /** Hash of the previous revision's transaction, which the memo names; null if it names none. */
    readonly previousTransactionHash: string | null;
  }
>;

/** The transaction is in a validated ledger with tesSUCCESS. */
export type Anchored = EventOf<'Anchored', ValidatedTransaction>;

/**
 * The transaction is definitively not on the ledger, or is there as a failure (`failed`). None that
 * has the same Sequence is there.
 */
export type AnchorExpired = EventOf<
  'AnchorExpired',
  {
    readonly transactionHash: string;
    readonly reason: 'absent' | 'failed' | 'ledgerGone';
    readonly engineResult: string | null;
  }
>;

/** An operator gave the proof up: final. */
export type AnchorRefused = EventOf<'AnchorRefused', { readonly reason: 'givenUp' }>;

/** The attempt was rolled back: nothing of it is or will be on the ledger. */
export type ProofWithdrawn = EventOf<
  'ProofWithdrawn',
  { readonly reason: 'waitEnded' | 'expired' | 'failed' | 'ledgerGone' }
>;

/**
 * A certificate was issued: at the first request, and again as a successor once evidence that the
 * newest one lacked was on record: the validators' signatures, or a time-stamp token. Its PDF with
 * the attached bundle is at `blobKey`, on stable storage before the event was appended. The digests
 * are those of the PDF and the bundle.
 */
export type CertificateIssued = EventOf<
  'CertificateIssued',
  CertificateInputs & {
    readonly blobKey: BlobKey;
    readonly sizeBytes: number;
    readonly pdfDigest: Digest;
    readonly bundleDigest: Digest;
    /** Null for a PDF without a digital signature. */
    readonly pdfSignature: PdfSignature | null;
  }
>;

export type ProofEvent =
  | ProofRequested
  | ProofQueued
  | AnchorPrepared
  | Anchored
  | AnchorExpired
  | AnchorRefused
  | ProofWithdrawn
  | CertificateIssued;

export const proofEvents: DefinitionsOf<ProofEvent> = {
  ProofRequested: {
    schema: 3,
    clear: [
      'document',
      'proofId',
      'organisationId',
      'workspaceId',
      'network',
      'hashScheme',
      'commitment',
      'fileSizeBytes',
      'recordsDelivery',
    ],
    upcasts: {
      1: (data) => ({ ...data, document: null }),
      2: (data) => ({ metadata: null, recordsDelivery: false, ...data }),
    },
    // 0.1.0 passes over members that it does not know, so its schema holds all data. With another
    // one it could not anchor anything after the first proof of this release.
    downcast: (data) => data,
  },
  ProofQueued: { schema: 1, clear: ['reason'] },
  AnchorPrepared: {
    schema: 3,
    // The blob of a plain proof contains the digest itself.
    clear: (data) => (isSalted(data.hashScheme) ? [...preparedFacts, 'blob'] : preparedFacts),
    upcasts: { 1: (data) => ({ ...data, previousTransactionHash: null }), 2: withoutReplacement },
    downcast: beforeReplacements,
  },
  Anchored: { schema: 1, clear: validatedFacts },
  AnchorExpired: { schema: 1, clear: ['transactionHash', 'reason', 'engineResult'] },
  AnchorRefused: { schema: 1, clear: ['reason'] },
  ProofWithdrawn: { schema: 1, clear: ['reason'] },
  CertificateIssued: {
    schema: 7,
    // The PDF and the bundle contain the file's hash. With clear digests, anyone who guesses the
    // rest could test guesses of the hash.
    clear: [
      'templateVersion',
      'issuedAt',
      'logSize',
      'logInclusion',
      'fileSizeBytes',
      'revision',
      'standalone',
      'blobKey',
      'sizeBytes',
      'ledger',
      'attestation',
      'timestamp',
      'issuerKey',
    ],
    // Without what this schema brought, processes with the schema before can read the event.
    downcast: ({ description: _, classification: __, verifier: ___, pdfSignature, ...data }) =>
      pdfSignature === null && data.templateVersion < 3 ? data : null,
    upcasts: {
      1: (data) => ({ ...data, logInclusion: null }),
      2: (data) => ({ ...data, verifyPageUrl: null }),
      3: (data) => ({ ...data, ledger: null, attestation: null }),
      4: (data) => ({ ...data, timestamp: null }),
      5: (data) => ({ ...data, issuerKey: null, issuerSignature: null }),
      6: (data) => ({
        ...data,
        ...{ description: null, classification: null, verifier: null, pdfSignature: null },
      }),
    },
  },
};

const preparedFacts = [...signedFacts, 'hashScheme', 'previousTransactionHash'] as const;
