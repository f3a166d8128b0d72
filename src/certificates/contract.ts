import type { CertificateInputs } from '../domain/proof/events.ts';
import type { CompletedProof } from '../domain/proof/state.ts';

/**
 * Makes certificates and their bundles. The same proof and inputs give the same bytes for ever, in
 * every process. Whatever is thrown but `Transient` is a defect.
 */
export interface CertificateMaker {
  /** The proof bundle, JSON in UTF-8. */
  bundle(proof: CompletedProof, inputs: CertificateInputs): Uint8Array;

  /** A bundle in its form for sharing: without the nonce. */
  share(bundle: Uint8Array): Uint8Array;

  /**
   * The PDF, with the bundle attached, made on another thread, where organisations take turns. Rejects
   * with `Transient` when too many of the organisation wait already, or it cannot be made now. May be
   * repeated.
   */
  pdf(proof: CompletedProof, inputs: CertificateInputs, bundle: Uint8Array): Promise<Uint8Array>;
}
