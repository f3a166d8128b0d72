import { serveOrders } from '../../threads/serve-orders.ts';
import type { CertificateContent } from '../certificate-content.ts';
import { renderCertificate } from './render-certificate.ts';

/** One certificate to render. */
export interface RenderOrder {
  readonly content: CertificateContent;
  readonly bundle: Uint8Array;
}

serveOrders<RenderOrder, Uint8Array>(async ({ content, bundle }) => {
  const pdf = await renderCertificate(content, bundle);
  return { answer: pdf, transferred: [pdf.buffer as ArrayBuffer] };
});
