import type { CertificateMaker } from '../certificates/contract.ts';
import type { Trace } from './contract.ts';

/** Wraps a maker of certificates, to trace the rendering of each PDF. */
export function traceCertificates(maker: CertificateMaker, trace: Trace): CertificateMaker {
  const traced = <Made>(
    [proof, inputs]: Readonly<Parameters<CertificateMaker['pdf' | 'newPdf']>>,
    make: () => Promise<Made>,
    pdfOf: (made: Made) => Uint8Array,
  ): Promise<Made> => {
    const attributes = {
      'proofmark.proof.id': proof.request.proofId,
      'proofmark.template.version': inputs.templateVersion,
    };
    return trace({ name: 'render certificate', attributes }, async (span) => {
      const made = await make();
      span.set({ 'proofmark.pdf.bytes': pdfOf(made).byteLength });
      return made;
    });
  };
  return {
    ...maker,
    pdf: (...given) =>
      traced(
        given,
        () => maker.pdf(...given),
        (pdf) => pdf,
      ),
    newPdf: (...given) =>
      traced(
        given,
        () => maker.newPdf(...given),
        ({ pdf }) => pdf,
      ),
  };
}
