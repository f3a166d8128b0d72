import type { ListReference } from '../attestation/events.ts';
import type { LeafInput } from '../log/leaf-input.ts';
import type { TimestampEvent } from '../log/timestamp-events.ts';
import type { StreamName } from '../stream-name.ts';
import type { Digest } from './digest.ts';
import type { TemplateVersion } from './template-version.ts';

/**
 * Content of a certificate that is not in the proof's own events, or could change after them. It is
 * fixed at the first request, so that the same certificate can always be made again.
 */
export interface CertificateInputs {
  /** Version of the template that makes the PDF from these inputs. */
  readonly templateVersion: TemplateVersion;
  /** ISO 8601. */
  readonly issuedAt: string;
  /** Number of events in the log, including those of the proof. */
  readonly logSize: number;
  /**
   * Inclusion of the Anchored event in the published log of that size; null in certificates from
   * before the log was published.
   */
  readonly logInclusion: LogInclusion | null;
  /** From the stored document if there is one, otherwise from the proof request. */
  readonly fileName: string | null;
  readonly fileSizeBytes: number | null;
  readonly mimeType: string | null;
  /** Revision of a stored document; null for a hash alone. */
  readonly revision: number | null;
  readonly organisationName: string;
  readonly workspaceName: string;
  /** True if the ledger is the development ledger. */
  readonly standalone: boolean;
  /**
   * The transaction in the explorer of its ledger, like `explorerUrl`. In certificates without
   * `verifyPageUrl` it is the page of the service.
   */
  readonly verifyUrl: string;
  /**
   * Page of the service that verifies the transaction; null in certificates of release 0.1.0, which
   * have it as `verifyUrl`.
   */
  readonly verifyPageUrl: string | null;
  /** Address at which programs verify the transaction. */
  readonly publicApiUrl: string;
  readonly explorerUrl: string;
  /** Description of the file, from where its name is; null in certificates of templates 1 and 2. */
  readonly description: string | null;
  /** Classification of a stored document by an agent, as JSON; null without one. */
  readonly classification: string | null;
  /** The verifier that the pages name; null in certificates of templates 1 and 2. */
  readonly verifier: VerifierFile | null;
  /**
   * Ledger of the proof, by which an attestation recorded later finds the certificate; null in
   * certificates from before the validators' signatures.
   */
  readonly ledger: { readonly ledgerId: string; readonly ledgerIndex: number } | null;
  /** Validators' signatures in the bundle; null for a certificate issued without them. */
  readonly attestation: AttestationChoice | null;
  /** Time-stamp token in the bundle; null for a certificate issued without it. */
  readonly timestamp: TimestampReference | null;
  /** Key of the issuer, `NAME+ID+KEY`, that signed the bundle; null for a bundle without signature. */
  readonly issuerKey: string | null;
  /**
   * Signature of the bundle by that key: 64 bytes in base64. Confidential: with it, guesses of the
   * rest of the bundle could be tested.
   */
  readonly issuerSignature: string | null;
}

/** Signature of a bundle by its issuer. */
export type IssuerSignature = Pick<CertificateInputs, 'issuerKey' | 'issuerSignature'>;

/** `verify.py` as the service offered it when the certificate was issued. */
export interface VerifierFile {
  readonly url: string;
  /** Lower-case hex. */
  readonly sha256: Digest;
}

/**
 * Digital signature of a PDF: CMS in DER, as base64. The PDF has room for `roomBytes`. With it, a lost
 * PDF is made again without the key that signed it.
 */
export interface PdfSignature {
  readonly cms: string;
  readonly roomBytes: number;
}

/**
 * The recorded token of a checkpoint, and the inclusion of the Anchored event in the tree of that
 * checkpoint (RFC 6962). From them the same bundle can always be made again.
 */
export interface TimestampReference {
  /** Stream whose only event has the token. */
  readonly stream: StreamName<TimestampEvent>;
  /** From the leaf upwards; lower-case hex. */
  readonly hashes: readonly string[];
}

/**
 * Parts of the recorded attestation that a bundle contains: one list of validators, and places (from
 * 0) in the lists of the LedgerAttested event. From them the same bundle can always be made again.
 */
export interface AttestationChoice extends ListReference {
  readonly validations: readonly number[];
  readonly manifests: readonly number[];
}

/** Inclusion proof of the proof's Anchored event in the published log (RFC 6962). */
export interface LogInclusion {
  /** Leaf input of the event, as the event store wrote it. */
  readonly event: LeafInput;
  readonly leafIndex: number;
  /** From the leaf upwards; lower-case hex. */
  readonly hashes: readonly string[];
  /** The published checkpoint of that size: a signed note. */
  readonly checkpoint: string;
}
