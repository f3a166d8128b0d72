import type { CertificateMaker } from '../certificates/contract.ts';
import type { Trace } from './contract.ts';

/** Wraps a maker of certificates, to trace the rendering of each PDF. */
export function traceCertificates(maker: CertificateMaker, trace: Trace): CertificateMaker {
  return {
    ...maker,
    pdf: (proof, inputs, bundle) => {
      const attributes = {
        'proofmark.proof.id': proof.request.proofId,
        'proofmark.template.version': inputs.templateVersion,
      };
      return trace({ name: 'render certificate', attributes }, async (span) => {
        const pdf = await maker.pdf(proof, inputs, bundle);
        span.set({ 'proofmark.pdf.bytes': pdf.byteLength });
        return pdf;
      });
    },
  };
}
