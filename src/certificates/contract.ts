import type { RecordedAttestation } from '../domain/attestation/recorded-attestation.ts';
import type { AttestationChoice, CertificateInputs } from '../domain/proof/events.ts';
import type { CompletedProof } from '../domain/proof/state.ts';

/**
 * Makes certificates and their bundles. The same proof and inputs always give the same bytes, in
 * every process. Any error other than `Transient` is a defect.
 */
export interface CertificateMaker {
  /**
   * Chooses the signatures of validators for a bundle, on another thread; null if they do not prove
   * the transaction. Rejects like `pdf`.
   */
  choose(proof: CompletedProof, recorded: RecordedAttestation): Promise<AttestationChoice | null>;

  /**
   * The proof bundle, JSON in UTF-8. `recorded` is what the log has of the chosen signatures; null
   * for a certificate without them.
   */
  bundle(
    proof: CompletedProof,
    inputs: CertificateInputs,
    recorded: RecordedAttestation | null,
  ): Uint8Array;

  /** The bundle in its form for sharing, without the nonce. */
  share(bundle: Uint8Array): Uint8Array;

  /**
   * The PDF with the bundle attached, rendered on another thread. Organisations take turns. Rejects
   * with `Transient` if too many certificates of the organisation wait, or if rendering is
   * unavailable. The call may be repeated.
   */
  pdf(proof: CompletedProof, inputs: CertificateInputs, bundle: Uint8Array): Promise<Uint8Array>;
}
