import type { CertificateInputs } from '../domain/proof/events.ts';
import type { CompletedProof } from '../domain/proof/state.ts';

/**
 * Makes certificates and their bundles. The same proof and inputs always give the same bytes, in
 * every process. Any error other than `Transient` is a defect.
 */
export interface CertificateMaker {
  /** The proof bundle, JSON in UTF-8. */
  bundle(proof: CompletedProof, inputs: CertificateInputs): Uint8Array;

  /** The bundle in its form for sharing, without the nonce. */
  share(bundle: Uint8Array): Uint8Array;

  /**
   * The PDF with the bundle attached, rendered on another thread. Organisations take turns. Rejects
   * with `Transient` if too many certificates of the organisation wait, or if rendering is
   * unavailable. The call may be repeated.
   */
  pdf(proof: CompletedProof, inputs: CertificateInputs, bundle: Uint8Array): Promise<Uint8Array>;
}
