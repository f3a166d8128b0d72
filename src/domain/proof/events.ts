import type { BlobKey } from '../blob/blob-key.ts';
import type { DefinitionsOf, EventOf } from '../event.ts';
import type { SignedTransaction, ValidatedTransaction } from '../ledger/transaction.ts';
import type { LeafInput } from '../log/leaf-input.ts';
import type { Network } from '../network.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../ulid.ts';
import type { Digest } from './digest.ts';
import { type HashScheme, isSalted } from './hash-scheme.ts';

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
    readonly fileName: string | null;
    readonly fileSizeBytes: number | null;
    readonly mimeType: string | null;
    readonly description: string | null;
    /** The stored file that it was requested with; null for a hash alone. */
    readonly document: ProvenDocument | null;
  }
>;

/** What the proof of an upload or a revision has to know of its document. */
export interface ProvenDocument {
  readonly rootDocumentId: DocumentId;
  readonly documentId: DocumentId;
  /** Of the revision before, whose transaction this one's memo names; null for a first upload. */
  readonly previousProofId: ProofId | null;
  /** The month (YYYY-MM) that gets the unit back if the proof is given up; null if it cost none. */
  readonly unitMonth: string | null;
}

/** From here on the service settles the proof without the caller, however long it takes. */
export type ProofQueued = EventOf<
  'ProofQueued',
  { readonly reason: 'waitEnded' | 'respondAsync' | 'document' }
>;

/** A signed transaction is on record, before its first byte is sent. */
export type AnchorPrepared = EventOf<
  'AnchorPrepared',
  SignedTransaction & {
    readonly hashScheme: HashScheme;
    /** Hash of the transaction of the revision before, which the memo names; null if it names none. */
    readonly previousTransactionHash: string | null;
  }
>;

/** The transaction is in a validated ledger with tesSUCCESS. */
export type Anchored = EventOf<'Anchored', ValidatedTransaction>;

/** The transaction is definitively not on the ledger, or is there as a failure (`failed`). */
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
 * What a certificate says and holds that is not in the proof's own events, or could change after
 * them: fixed when it is first asked for, so that the same certificate can be made again for ever.
 */
export interface CertificateInputs {
  /** How the PDF is made of all this. */
  readonly templateVersion: 1;
  /** ISO 8601. */
  readonly issuedAt: string;
  /** How many events the log had: those of the proof are among them. */
  readonly logSize: number;
  /** That the anchoring is in the published log of that size; null in certificates before there was one. */
  readonly logInclusion: LogInclusion | null;
  /** As of the stored document where there is one, else as its requester named it. */
  readonly fileName: string | null;
  readonly fileSizeBytes: number | null;
  readonly mimeType: string | null;
  /** Of a stored document; null for a hash alone. */
  readonly revision: number | null;
  readonly organisationName: string;
  readonly workspaceName: string;
  /** Whether the ledger is the development one. */
  readonly standalone: boolean;
  /** Where the service showed the transaction to people, and to programs. */
  readonly verifyUrl: string;
  readonly publicApiUrl: string;
  readonly explorerUrl: string;
}

/** What shows that the proof's Anchored event is in the log as it was published (RFC 6962). */
export interface LogInclusion {
  /** What the event's leaf commits to, as the event store wrote it. */
  readonly event: LeafInput;
  readonly leafIndex: number;
  /** From the leaf up; lower-case hex. */
  readonly hashes: readonly string[];
  /** The checkpoint of that size as it was published: a signed note. */
  readonly checkpoint: string;
}

/**
 * The certificate was asked for, for the first time. Its PDF is at `blobKey`, on stable storage before
 * the event was appended, with the bundle attached; the digests are those of both.
 */
export type CertificateIssued = EventOf<
  'CertificateIssued',
  CertificateInputs & {
    readonly blobKey: BlobKey;
    readonly sizeBytes: number;
    readonly pdfDigest: Digest;
    readonly bundleDigest: Digest;
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
    schema: 2,
    clear: [
      'document',
      'proofId',
      'organisationId',
      'workspaceId',
      'network',
      'hashScheme',
      'commitment',
      'fileSizeBytes',
    ],
    upcasts: { 1: (data) => ({ ...data, document: null }) },
  },
  ProofQueued: { schema: 1, clear: ['reason'] },
  AnchorPrepared: {
    schema: 2,
    // The blob of a plain proof carries the digest itself.
    clear: (data) => (isSalted(data.hashScheme) ? [...preparedFacts, 'blob'] : preparedFacts),
    upcasts: { 1: (data) => ({ ...data, previousTransactionHash: null }) },
  },
  Anchored: {
    schema: 1,
    clear: [
      'ledgerId',
      'transactionHash',
      'ledgerIndex',
      'ledgerHash',
      'closeTime',
      'closeTimeIso',
      'transactionIndex',
      'metadata',
      'ledgerHeader',
    ],
  },
  AnchorExpired: { schema: 1, clear: ['transactionHash', 'reason', 'engineResult'] },
  AnchorRefused: { schema: 1, clear: ['reason'] },
  ProofWithdrawn: { schema: 1, clear: ['reason'] },
  CertificateIssued: {
    schema: 2,
    // The digests are of what names the file's hash: whoever guesses the rest could test guesses of it.
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
    ],
    upcasts: { 1: (data) => ({ ...data, logInclusion: null }) },
  },
};

const preparedFacts: readonly string[] = [
  'ledgerId',
  'transactionHash',
  'hashScheme',
  'previousTransactionHash',
  'account',
  'sequence',
  'feeDrops',
  'minLedger',
  'lastLedgerSequence',
];
