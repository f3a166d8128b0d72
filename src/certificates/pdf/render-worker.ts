import type { AttestationChoice } from '../../domain/proof/certificate-inputs.ts';
import { serveOrders } from '../../threads/serve-orders.ts';
import type { CertificateContent } from '../certificate-content.ts';
import { type AttestedTransaction, chooseAttestation } from '../choose-attestation.ts';
import { renderCertificate } from './render-certificate.ts';

/** One certificate to render, or the recorded signatures to choose from for its bundle. */
export type RenderOrder =
  | {
      readonly content: CertificateContent;
      readonly bundle: Uint8Array;
      readonly roomBytes: number | null;
    }
  | { readonly transaction: AttestedTransaction };

serveOrders<RenderOrder, Uint8Array | AttestationChoice | null>(async (order) => {
  if ('transaction' in order) return { answer: chooseAttestation(order.transaction) };
  const pdf = await renderCertificate(order.content, order.bundle, order.roomBytes);
  return { answer: pdf, transferred: [pdf.buffer as ArrayBuffer] };
});
