import type { RecordedAttestation } from '../domain/attestation/recorded-attestation.ts';
import type { CheckpointTimestamped } from '../domain/log/timestamp-events.ts';
import type {
  AttestationChoice,
  CertificateInputs,
  IssuerSignature,
  PdfSignature,
} from '../domain/proof/certificate-inputs.ts';
import type { CompletedProof } from '../domain/proof/state.ts';

/** Recorded evidence that the inputs of a certificate refer to; null if they refer to none. */
export interface RecordedEvidence {
  readonly attestation: RecordedAttestation | null;
  readonly timestamp: CheckpointTimestamped['data'] | null;
}

/**
 * Makes certificates and their bundles. The same proof and inputs always give the same bytes, in
 * every process. Any error other than `Unavailable` is a defect.
 */
export interface CertificateMaker {
  /**
   * Chooses the signatures of validators for a bundle, on another thread; null if they do not prove
   * the transaction. Rejects like `pdf`.
   */
  choose(proof: CompletedProof, recorded: RecordedAttestation): Promise<AttestationChoice | null>;

  /** The proof bundle, JSON in UTF-8. Evidence that the inputs do not refer to is ignored. */
  bundle(proof: CompletedProof, inputs: CertificateInputs, recorded: RecordedEvidence): Uint8Array;

  /**
   * The text that the issuer signs for the bundle of these inputs. Their own signature, if they have
   * one, is ignored.
   */
  statement(
    proof: CompletedProof,
    inputs: Omit<CertificateInputs, keyof IssuerSignature>,
    recorded: RecordedEvidence,
  ): string;

  /** The bundle in its form for sharing, without the nonce; by default with the name of the file. */
  share(bundle: Uint8Array, options?: { readonly withFileName: boolean }): Uint8Array;

  /**
   * The PDF with the bundle attached, and with its recorded signature. It is rendered on another
   * thread. Organisations take turns. Rejects with `Unavailable` if too many certificates of the
   * organisation wait, or if rendering is unavailable. The call may be repeated.
   */
  pdf(
    proof: CompletedProof,
    inputs: CertificateInputs,
    bundle: Uint8Array,
    signature: PdfSignature | null,
  ): Promise<Uint8Array>;

  /**
   * Like `pdf`, but signs the PDF with the key of the service. Its signature is null without a key. Of
   * two calls, each may return another signature.
   */
  newPdf(
    proof: CompletedProof,
    inputs: CertificateInputs,
    bundle: Uint8Array,
  ): Promise<{ readonly pdf: Uint8Array; readonly signature: PdfSignature | null }>;
}
